import type { Role } from '../plain/role.types';

const object = (properties: Record<string, object>) => ({
  type: 'object' as const,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const text = { type: 'string' };
const index = { type: 'integer' };

const sentence = object({ text, note_ids: list(text), kind: text });

/** The schema of the answer of each role. */
export const ROLE_SCHEMAS: Record<Role, Record<string, unknown>> = {
  scope: object({
    goal: text,
    sub_questions: list(text),
    language: text,
    recency: { type: 'string', enum: ['any', 'year', 'month', 'week', 'day'] },
    excluded: list(text),
    depth: { type: 'string', enum: ['quick', 'standard', 'deep'] },
    order: list(text),
    criteria: list(text),
  }),
  plan: object({
    directions: list(object({ title: text, queries: list(text) })),
  }),
  choice: object({
    lists: list(object({ direction: index, candidates: list(index) })),
  }),
  notes: object({
    notes: list(
      object({
        claim: text,
        sentences: list(index),
        kind: text,
        importance: index,
      }),
    ),
  }),
  gaps: object({
    sufficient: { type: 'boolean' },
    missing: list(text),
    contradictions: list(object({ note_ids: list(text), about: text })),
    open: list(index),
    queries: list(object({ direction: index, query: text })),
  }),
  outline: object({
    title: text,
    sections: list(
      object({
        title: text,
        form: text,
        note_ids: list(text),
        about: list(text),
        columns: list(text),
        rows: list(text),
      }),
    ),
    missing: list(text),
  }),
  section: object({
    blocks: list(
      object({
        type: text,
        title: text,
        sentences: list(sentence),
        columns: list(text),
        rows: list(object({ title: text, cells: list(sentence) })),
      }),
    ),
  }),
  verify: object({
    answers: list(
      object({
        id: text,
        words: list(text),
        differs: text,
        expression: text,
        verdict: text,
      }),
    ),
  }),
  rewrite: object({
    sentences: list(object({ id: text, text, note_ids: list(text) })),
  }),
  object: object({ summary: text, year: index }),
};
