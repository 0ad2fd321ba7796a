import { isObject } from '../../wire/json';
import type { DataBlocks } from '../data-blocks';
import { keywordsOf, shared, termsOf } from '../extract';
import { briefIn, candidatesIn, directionsIn, notesIn } from '../role-inputs';
import type { Gaps, RoleRequest } from '../role.types';

/**
 * Sufficient, unless a sub-question has no note and has not been searched for by its own words yet. It is read for in the
 * unread page that shares most terms with it, or searched for where none shares any.
 */
export function gaps({ data, schema }: RoleRequest): Gaps {
  const { goal, sub_questions, max_open, max_queries } = briefIn(data);
  const notes = notesIn(data);
  const questions = sub_questions.length > 0 ? sub_questions : [goal];
  const open = questions
    .map((question) => ({
      question,
      query: keywordsOf(`${question} ${goal}`) || question,
    }))
    .filter(({ question, query }) => {
      const terms = termsOf(question);
      const noted = notes.some(
        ({ claim, quote }) => shared(`${claim} ${quote}`, terms) > 0,
      );
      return !noted && !data.holds(query, ['brief', 'question', 'unread']);
    });
  const promising = open.map(({ question }) => pageFor(question, data));
  const unserved = open.filter((_, at) => promising[at] === undefined);
  return {
    sufficient: open.length === 0,
    missing: open.map(({ question }) => question),
    contradictions: [],
    open: [...new Set(promising)]
      .filter((n) => n !== undefined)
      .slice(0, max_open),
    queries: unserved
      .slice(0, Math.min(1, max_queries))
      .map(({ question, query }) => ({
        direction: directionOf(schema, data, question),
        query,
      })),
  };
}

function pageFor(question: string, data: DataBlocks): number | undefined {
  const terms = termsOf(question);
  const [best] = candidatesIn(data, 'unread')
    .map(({ n, words }) => ({ n, score: shared(words, terms) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.n - b.n);
  return best?.n;
}

/** A direction of the plan by its index, or by its title where the schema asks for text; the first where none has that title. */
export function directionOf(
  schema: unknown,
  data: DataBlocks,
  title: string,
): string | number {
  const path = ['properties', 'queries', 'items', 'properties', 'direction'];
  const direction = path.reduce<unknown>(
    (node, key) => (isObject(node) ? node[key] : undefined),
    schema,
  );
  if (isObject(direction) && direction.type === 'string') return title;
  return Math.max(0, directionsIn(data).indexOf(title));
}
