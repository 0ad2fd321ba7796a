import { isObject } from '../../wire/json';
import { shared, termsOf } from '../extract';
import { briefIn } from '../role-inputs';
import type { Choice, RoleRequest } from '../role.types';

interface Line {
  n: number;
  direction: number;
  score: number;
}

/** Per direction the candidates that share terms with the brief, those that share most first; the others are left out. */
export function choice({ data }: RoleRequest): Choice {
  const { goal, sub_questions } = briefIn(data);
  const terms = termsOf(goal, ...sub_questions);
  const lines = data.lines('candidates').flatMap((line): Line[] => {
    if (!isObject(line)) return [];
    const { n, direction, title, snippet } = line;
    if (typeof n !== 'number' || typeof direction !== 'number') return [];
    const words = [title, snippet].filter((one) => typeof one === 'string');
    return [{ n, direction, score: shared(words.join('\n'), terms) }];
  });
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
