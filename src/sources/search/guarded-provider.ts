import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanHits } from './hits';
import type { CircuitBreaker } from './limits/circuit-breaker';
import type { Pace, Rate } from './limits/pace';
import {
  type PauseFault,
  ProviderFailed,
  type ProviderReply,
  type SearchFault,
  type SearchHit,
  type SearchProvider,
  type SearchQuery,
} from './search.types';

const MINUTE = 60_000;
/** After a refusal that names no end. */
const PAUSE_MS: Record<PauseFault, number> = {
  rate_limited: 30_000,
  unauthorized: 10 * MINUTE,
  quota_exceeded: 60 * MINUTE,
};
/** However little a provider asks for. */
const MIN_PAUSE_MS = 1_000;
/** The longest pause that a provider can impose; after that one request tries again. */
const MAX_PAUSE_MS = 60 * MINUTE;
/** How long a search waits for its turn where no other provider follows. */
const MAX_WAIT_MS = MINUTE;
/** Searches that wait for the end of one pause continue within this time of each other. */
const SPREAD_MS = 1_000;
/** Values of parameters that are remembered as refused. */
const MAX_REFUSED = 1_000;

export interface ProviderSettings {
  readonly name: string;
  /** Differs for every other account or address, so that a pause ends with a new key. */
  readonly id: string;
  readonly timeoutMs: number;
  readonly rate?: Rate;
}

/** A provider within its limits: its rate, its pauses, a circuit breaker, a time limit, and bounds on what it sends. */
export class GuardedProvider {
  private readonly log = new Logger('Search');
  private lastFault?: SearchFault;
  /** `recency=day`: searches have been answered without it alone. */
  private readonly refused = new Set<string>();

  constructor(
    readonly settings: ProviderSettings,
    private readonly provider: SearchProvider,
    private readonly pace: Pace,
    private readonly breaker: CircuitBreaker,
  ) {}

  get name(): string {
    return this.settings.name;
  }

  /** The pause that it imposed, or that its failures caused in this process. */
  async pausedBy(): Promise<PauseFault | 'circuit_open' | undefined> {
    const fault = await this.pace.paused(this.settings.id);
    return fault ?? (this.breaker.isOpen ? 'circuit_open' : undefined);
  }

  /**
   * @param isLast whether no other provider follows: then a turn is worth a longer wait.
   * @throws ProviderFailed, or the reason of the signal.
   */
  async search(
    query: SearchQuery,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<SearchHit[]> {
    if (this.breaker.isOpen) throw this.circuitOpen();
    await this.turn(signal, isLast);
    if (!this.breaker.enter()) throw this.circuitOpen();
    const limit = AbortSignal.timeout(this.settings.timeoutMs);
    try {
      const both = AbortSignal.any([signal, limit]);
      const { hits, pause } = await this.accepted(query, both);
      this.answered();
      if (pause) await this.pause(pause.fault, pause.ms);
      return cleanHits(hits, this.name, query.limit);
    } catch (error) {
      if (signal.aborted) this.breaker.release();
      signal.throwIfAborted();
      const fault = limit.aborted
        ? new ProviderFailed('timeout', undefined, { cause: error })
        : toFailure(error);
      await this.failed(fault);
      throw fault;
    }
  }

  /** Asks once more without each parameter that it may have refused. What it answers without is not sent again. */
  private async accepted(
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<ProviderReply> {
    const { parameters = [] } = this.provider;
    let sent = query;
    let left: string | undefined;
    for (const name of parameters)
      if (this.refused.has(`${name}=${query[name]}`))
        sent = { ...sent, [name]: undefined };
    for (;;) {
      try {
        const work = this.provider.search(sent, signal);
        const reply = await untilAborted(work, signal);
        if (left !== undefined) this.remember(left);
        return reply;
      } catch (error) {
        const name = parameters.find((one) => sent[one] !== undefined);
        const isRefusal =
          error instanceof ProviderFailed && error.fault === 'refused_query';
        if (!isRefusal || name === undefined) throw error;
        left = `${name}=${sent[name]}`;
        sent = { ...sent, [name]: undefined };
        await this.turn(signal, true);
      }
    }
  }

  private remember(parameter: string): void {
    if (this.refused.size >= MAX_REFUSED) this.refused.clear();
    this.refused.add(parameter);
    this.log.log(`${this.name} refuses ${parameter}: it is left out`);
  }

  /** Waits until a request may start. */
  private async turn(signal: AbortSignal, isLast: boolean): Promise<void> {
    signal.throwIfAborted();
    const { id, rate, timeoutMs } = this.settings;
    const maxWaitMs = isLast ? MAX_WAIT_MS : timeoutMs;
    const { granted, waitMs, fault } = await this.pace.reserve(
      id,
      rate,
      maxWaitMs,
    );
    if (!granted) throw new ProviderFailed(fault);
    if (waitMs === 0) return;
    const spread = rate ? 0 : Math.random() * SPREAD_MS;
    await sleep(waitMs + spread, undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }

  private circuitOpen(): ProviderFailed {
    return new ProviderFailed('circuit_open', undefined, {
      after: this.lastFault,
    });
  }

  private answered(): void {
    if (this.breaker.succeed()) this.log.log(`${this.name} responds again`);
  }

  private async failed(error: ProviderFailed): Promise<void> {
    const { fault, detail, options } = error;
    const reason = detail ? `${fault} (${detail})` : fault;
    this.log.debug({ provider: this.name, fault, err: options.cause });
    switch (fault) {
      case 'refused_query':
        return this.answered();
      case 'rate_limited':
      case 'unauthorized':
      case 'quota_exceeded':
        this.answered();
        return this.pause(fault, options.retryAfterMs, reason);
      default: {
        this.lastFault = fault;
        const ms = this.breaker.fail();
        if (ms !== undefined) this.warn(reason, ms);
      }
    }
  }

  private async pause(
    fault: PauseFault,
    ms = PAUSE_MS[fault],
    reason: string = fault,
  ): Promise<void> {
    const bounded = Math.min(Math.max(ms, MIN_PAUSE_MS), MAX_PAUSE_MS);
    await this.pace.pause(this.settings.id, bounded, fault);
    if (fault !== 'rate_limited') this.warn(reason, bounded);
  }

  private warn(reason: string, ms: number): void {
    const seconds = Math.ceil(ms / 1_000);
    this.log.warn(`${this.name} is not used for ${seconds} s: ${reason}`);
  }
}

/** A provider that ignores its signal does not hold the search. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function toFailure(cause: unknown): ProviderFailed {
  return cause instanceof ProviderFailed
    ? cause
    : new ProviderFailed('bad_reply', undefined, { cause });
}
