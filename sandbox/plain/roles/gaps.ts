import { isObject } from '../../wire/json';
import type { DataBlocks } from '../data-blocks';
import { keywordsOf, shared, termsOf } from '../extract';
import { briefIn, directionsIn, notesIn } from '../role-inputs';
import type { Gaps, RoleRequest } from '../role.types';

/** Sufficient, unless a sub-question has no note and has not been searched for by its own words yet. */
export function gaps({ data, schema }: RoleRequest): Gaps {
  const { goal, sub_questions } = briefIn(data);
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
      return !noted && !data.holds(query, ['brief', 'question']);
    });
  return {
    sufficient: open.length === 0,
    missing: open.map(({ question }) => question),
    contradictions: [],
    queries: open.slice(0, 1).map(({ question, query }) => ({
      direction: directionOf(schema, data, question),
      query,
    })),
  };
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
