import { type Channel, channel } from 'node:diagnostics_channel';

/** What the service reports of itself to whoever counts it. Names, codes and numbers; no ids, no texts. */
export interface Facts {
  /** The record of a run was created. */
  run_accepted: { kind: string };
  /** `waitedMs`: until its first worker; absent where a decision or a later worker came first. */
  run_claimed: { kind: string; tookOver: boolean; waitedMs?: number };
  /** The end of a run was written. */
  run_ended: RunEnded;
  /** A run that is suspected of crashing its workers has to wait, so that few suspects are carried at a time. */
  run_quarantined: { kind: string };
  /** A worker no longer holds a run that it was carrying. */
  lease_lost: { kind: string };
  /** A worker begins or ceases to hold a run. */
  active_runs: { change: 1 | -1 };
  /** A delivery failed unexpectedly, and the queue repeats it. */
  delivery_repeated: { kind: string };
  /** A chat whose client waits, and which has no record, has ended. */
  chat_ended: {
    model?: string;
    status: string;
    code?: string;
    seconds: number;
  };
  /** A chat model has answered, with all turns that this took, or an embedding model, or it has failed. */
  model_answered: {
    engine: string;
    model: string;
    code?: string;
    inputTokens?: number;
    outputTokens?: number;
  };
  /** A reply of a chat model whose cost is known has arrived, used or not. */
  chat_paid: { model?: string; usd: number; source: string };
  engine_replaced: { from: string; to: string; model: string };
  /** The attempt is on record, and its create is about to be sent. */
  purchase_sent: { model: string };
  /** The outcome of an attempt is on record. */
  purchase_settled: { outcome: 'adopted' | 'duplicate' | 'refused' };
  polled: object;
  upstream_retried: { code: string };
  /** A caller begins or ceases to follow a run. */
  followers: { change: 1 | -1 };
  request_refused: { code: string };
  /** A limit of an API key refused something. */
  limit_hit: { limit: string };
}

export interface RunEnded {
  kind: string;
  engine?: string;
  model?: string;
  status: string;
  code?: string;
  /** Since it was begun; absent if it never was. */
  seconds?: number;
  /** As the record has them: JSON. */
  usage?: string;
  cost?: string;
  limitsReached?: string;
}

type FactName = keyof Facts;
export type FactListeners = {
  readonly [K in FactName]: (fact: Facts[K]) => void;
};

const channels: Record<FactName, Channel> = {
  run_accepted: channel('sonde:run_accepted'),
  run_claimed: channel('sonde:run_claimed'),
  run_ended: channel('sonde:run_ended'),
  run_quarantined: channel('sonde:run_quarantined'),
  lease_lost: channel('sonde:lease_lost'),
  active_runs: channel('sonde:active_runs'),
  delivery_repeated: channel('sonde:delivery_repeated'),
  chat_ended: channel('sonde:chat_ended'),
  model_answered: channel('sonde:model_answered'),
  chat_paid: channel('sonde:chat_paid'),
  engine_replaced: channel('sonde:engine_replaced'),
  purchase_sent: channel('sonde:purchase_sent'),
  purchase_settled: channel('sonde:purchase_settled'),
  polled: channel('sonde:polled'),
  upstream_retried: channel('sonde:upstream_retried'),
  followers: channel('sonde:followers'),
  request_refused: channel('sonde:request_refused'),
  limit_hit: channel('sonde:limit_hit'),
};

/** Reports a fact. Costs nothing while no one listens, and never fails. */
export function report<K extends FactName>(name: K, fact: Facts[K]): void {
  channels[name].publish(fact);
}

/** Calls a listener with every fact of its name. Returns a function that ends it. */
export function listen(listeners: FactListeners): () => void {
  const added = Object.entries(listeners).map(([name, listener]) => {
    const onFact = (fact: unknown): void =>
      (listener as (fact: unknown) => void)(fact);
    channels[name as FactName].subscribe(onFact);
    return () => channels[name as FactName].unsubscribe(onFact);
  });
  return () => added.forEach((remove) => remove());
}
