import type { ModelRole } from '../../config/settings/models/role-models';
import type { Tried } from './agent.types';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface CompletionPort {
  /** The output limit that calls of the model are known to need, 0 if nothing is known. Differs between workers. */
  outputTokens?(model: string): number;
  complete(request: {
    model: string;
    messages: readonly Message[];
    schema?: { name: string; schema: object };
    maxTokens: number;
    timeoutMs: number;
    signal: AbortSignal;
  }): Promise<{
    text: string;
    value?: unknown;
    finish: 'stop' | 'length' | 'filtered' | 'other';
    /** The output limit was reached by reasoning. */
    reasoningCut?: true;
    usage: { input_tokens: number; output_tokens: number } | null;
    costUsd?: number;
  }>;
}

export type Scope = 'public' | 'private';
export type Recency = 'day' | 'week' | 'month' | 'year';

export interface SearchQuery {
  text: string;
  scope: Scope;
  limit: number;
  language?: string;
  recency?: Recency;
}

export interface SearchHit {
  url: string;
  title: string;
  snippet: string;
  provider: string;
  publishedAt?: string;
  content?: string;
}

/** A page that may be read, in the words of the search. */
export interface Candidate {
  /** Of the page, without a fragment. */
  url: string;
  title: string;
  publishedAt?: string;
  private: boolean;
  /** What the search shows of the page, at most 300 UTF-16 units. */
  snippet?: string;
  /** The part of the page that the search names, without `#`. */
  fragment?: string;
  /** The query that found it, and its place among the hits, from 0. */
  query?: string;
  rank?: number;
  /** The query that found it, where the provider itself has the whole text. */
  held?: SearchQuery;
}

export interface SearchPort {
  has(scope: Scope): boolean;
  /** Throws an error with `tried` if every provider failed. */
  search(
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<{ provider: string; hits: SearchHit[]; tried: Tried[] }>;
}

export interface Page {
  url: string;
  title: string;
  text: string;
  language?: string;
  sha256: string;
  fetchedAt: string;
  mime: string;
  /** Offsets are UTF-16 units of the text, in its order. */
  headings?: { at: number; level: number; text: string; ids?: string[] }[];
  /** Addresses of its editions in other languages. */
  alternates?: string[];
}

export interface PagePort {
  /** Throws an error with `fault` if the page cannot be read. */
  read(url: string, signal: AbortSignal): Promise<Page>;
}

export interface GuardPort {
  /** Whether a query that is about to leave holds personal data or keys. */
  hasSecret(text: string): boolean;
  /** The section as it may be emitted; undefined where a guardrail refuses it. */
  section(
    text: string,
    consulted: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

/** One model as a run is pinned to it. */
export interface AgentModel {
  name: string;
  contextTokens: number;
  /** By what an estimate of tokens is multiplied, for each kind of script. */
  factors: { cjk: number; other: number };
  price?: { inputPerMillion: number; outputPerMillion: number };
}

export interface AgentPorts {
  complete: CompletionPort;
  search: SearchPort;
  pages: PagePort;
  /** A pure function. */
  countTokens(text: string, factors: AgentModel['factors']): number;
  models: Record<ModelRole, AgentModel>;
  now(): number;
  /** IANA name, in which prompts have the date. */
  timeZone: string;
  /** Longest time of one model call, in milliseconds. */
  modelTimeoutMs: number;
  guard?: GuardPort;
}
