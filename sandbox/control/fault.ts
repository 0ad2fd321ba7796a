import type { FaultKind } from './fault-kinds';

export interface FaultMatch {
  method?: string;
  path?: string;
  model?: string;
  stream?: boolean;
  background?: boolean;
  invocation_id?: string;
  body?: string;
}

export interface FaultParams {
  status?: number | string;
  retry_after?: number;
  retry_after_ms?: number;
  code?: string;
  message?: string;
  body?: string;
  ms?: number;
  after_create?: boolean;
  after_events?: number;
  cut?: boolean;
  reason?: string;
  fraction?: number;
  nested?: boolean;
  bytes?: number;
  partly?: boolean;
  page?: string;
  usage?: unknown;
  header?: string;
}

/** `remaining` is null without a limit. */
export interface Fault extends FaultParams {
  id: string;
  kind: FaultKind;
  match: FaultMatch;
  remaining: number | null;
  hits: number;
}

/** The properties of a request that a matcher can test. */
export interface RequestFacts {
  method: string;
  path: string;
  raw: string;
  model?: string;
  invocationId?: string;
  stream: boolean;
  background: boolean;
  create: boolean;
  hasTools: boolean;
}
