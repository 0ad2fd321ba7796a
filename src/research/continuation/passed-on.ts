import { z } from 'zod';
import { MODEL_ROLES } from '../../config/settings/models/role-models';
import type { Direction, PlanEstimate } from '../../runs/record/stored-plan';
import type { AgentModel, Candidate, SearchQuery } from '../agent/agent-ports';
import { NOTE_KINDS } from '../agent/agent.types';
import { RELEASED_VERSIONS, VERSION_DECISION } from '../agent/agent-versions';
import {
  type Inherited,
  inheritedField,
  isInherited,
  sortOf,
} from '../agent/journal/inheritance';
import type { Settled } from '../agent/journal/journal-entries';
import { choosePrompt } from '../agent/prompts/choose.prompt';
import { gapsPrompt } from '../agent/prompts/gaps.prompt';
import { outlinePrompt } from '../agent/prompts/outline.prompt';
import { planPrompt } from '../agent/prompts/plan.prompt';
import { rewritePrompt } from '../agent/prompts/rewrite.prompt';
import { scopePrompt } from '../agent/prompts/scope.prompt';
import { sectionPrompt } from '../agent/prompts/section.prompt';
import { verifyPrompt } from '../agent/prompts/verify.prompt';
import type { FoundNote, Noted } from '../agent/steps/notes-step';
import type { PageHead } from '../agent/steps/page-step';
import { DATA_SOURCES } from '../arguments/data-sources';

/** An entry of the journal of the next run. */
export interface PassedOn {
  field: string;
  json: string;
  value: unknown;
}

/** Every field of a type, so that none is lost on the way. */
type Shape<T> = { [K in keyof T]-?: z.ZodType<T[K]> };
const objectOf = <T>(shape: Shape<T>): z.ZodType<T> =>
  z.object(shape) as unknown as z.ZodType<T>;

const text = z.string();
const texts = z.array(text);
const amount = z.number().nonnegative();
const place = z.int().nonnegative();

const query = objectOf<SearchQuery>({
  text,
  scope: z.enum(['public', 'private']),
  limit: place,
  language: text.optional(),
  recency: z.enum(['day', 'week', 'month', 'year']).optional(),
});
const candidate = objectOf<Candidate>({
  url: text,
  title: text,
  publishedAt: text.optional(),
  private: z.boolean(),
  snippet: text.optional(),
  fragment: text.optional(),
  query: text.optional(),
  rank: place.optional(),
  held: query.optional(),
});
const head = objectOf<PageHead>({
  url: text,
  title: text,
  sha256: text,
  fetchedAt: text,
  language: text.optional(),
  date: text.optional(),
  sought: text,
  parts: z.array(z.object({ start: place, end: place })),
  whole: z.literal(true).optional(),
});
const found = objectOf<FoundNote>({
  claim: text,
  kind: z.enum(NOTE_KINDS),
  importance: place,
  quote: text,
  start: place,
  end: place,
  window: text,
  headings: texts.optional(),
  before: text.optional(),
  purged: z.literal(true).optional(),
});
const noted = objectOf<Noted>({
  url: text,
  found: z.array(found),
  purged: z.literal(true).optional(),
});
const model = objectOf<AgentModel>({
  name: text,
  contextTokens: place,
  factors: z.object({ cjk: amount, other: amount }),
  price: z
    .object({ inputPerMillion: amount, outputPerMillion: amount })
    .optional(),
});
const estimate = objectOf<PlanEstimate>({
  searches: place,
  pages: place,
  model_calls: place,
  tokens: amount,
  cost_usd: amount.nullable(),
  minutes: amount,
});
const direction = objectOf<Direction>({ title: text, queries: texts });

/** What a model answered. Refused answers have no `kept`. */
const answer = (kept: z.ZodType) =>
  z.object({ kept, used: z.object({ tokens: amount, costUsd: amount }) });

/** The results of steps that have succeeded, by sort. Local steps have none: they are made anew. */
const RESULTS: Record<string, z.ZodType> = {
  scope: answer(scopePrompt.schema),
  plan: answer(planPrompt.schema),
  search: z.object({ hits: z.array(candidate) }),
  choose: answer(choosePrompt.schema),
  page: z.object({ head }),
  read: answer(noted),
  gaps: answer(gapsPrompt.schema),
  outline: answer(outlinePrompt.schema),
  write: answer(sectionPrompt.schema),
  verify: answer(verifyPrompt.schema),
  rewrite: answer(rewritePrompt.schema),
  object: answer(z.unknown().refine((value) => value !== undefined)),
  // Of the decision with which a run begins. Its models are kept, its times are not.
  run: z.object({ models: z.record(z.enum(MODEL_ROLES), model) }),
};

/** Decisions that hold for the next run too. Those on the time of a run, or by the place of a query, do not. */
const DECISIONS: Record<string, z.ZodType> = {
  [VERSION_DECISION]: z.enum(RELEASED_VERSIONS),
  sources: z.enum(DATA_SOURCES),
  'plan:proposed': z.object({ estimate, deadlineMs: amount }),
  'plan:review': z.object({
    approve: z.boolean(),
    directions: z.array(direction).optional(),
    reason: text.optional(),
    // The time that a person took is no time of the next run.
    waitedMs: z.number().transform(() => 0),
  }),
};

/**
 * How an entry goes to the journal of a run that continues; undefined for what that run makes anew: failures, whatever they
 * are failures of, and what is not of the shape that this release writes.
 */
export function passedOn(field: string, json: string): PassedOn | undefined {
  if (field.includes('#')) return undefined;
  const settled = JSON.parse(json) as Settled;
  if (!('attempt' in settled)) return undefined;
  const decision = DECISIONS[field];
  if (decision) {
    const { data: value, success } = decision.safeParse(settled.value);
    if (!success) return undefined;
    return { field, json: JSON.stringify({ ...settled, value }), value };
  }
  const { from = field } = settled as Partial<Inherited>;
  const result = RESULTS[sortOf(from)]?.safeParse(settled.value);
  if (!result?.success) return undefined;
  const { input, attempt } = settled;
  const entry: Inherited = { input, attempt, value: result.data, from };
  return {
    field: isInherited(field) ? field : inheritedField(sortOf(from), input),
    json: JSON.stringify(entry),
    value: result.data,
  };
}

/** The pages that are passed on. One of which nothing was noted is opened anew: its text may be another one by now. */
export class PagesPassedOn {
  private readonly opened = new Map<string, string>();
  private readonly noted = new Set<string>();

  add({ field, value }: PassedOn): void {
    const { head, kept } = value as { head?: PageHead; kept?: Partial<Noted> };
    if (head && head.parts.length > 0) this.opened.set(field, head.url);
    if (kept?.found) this.noted.add(kept.url!);
  }

  /** Their fields, once all is added. */
  get unread(): string[] {
    return [...this.opened].flatMap(([field, url]) =>
      this.noted.has(url) ? [] : [field],
    );
  }
}
