import { shared, termsOf } from '../extract';
import { briefIn, candidatesIn } from '../role-inputs';
import type { Choice, RoleRequest } from '../role.types';

/** Per direction the candidates that share terms with the brief, those that share most first; the others are left out. */
export function choice({ data }: RoleRequest): Choice {
  const { goal, sub_questions } = briefIn(data);
  const terms = termsOf(goal, ...sub_questions);
  const lines = candidatesIn(data, 'candidates').map(
    ({ n, direction, words }) => ({
      n,
      direction,
      score: shared(words, terms),
    }),
  );
  const directions = [...new Set(lines.map(({ direction }) => direction))];
  return {
    lists: directions.map((direction) => ({
      direction,
      candidates: lines
        .filter((one) => one.direction === direction && one.score > 0)
        .toSorted((a, b) => b.score - a.score || a.n - b.n)
        .map(({ n }) => n),
    })),
  };
}
