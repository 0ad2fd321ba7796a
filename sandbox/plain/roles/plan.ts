import { keywordsOf } from '../extract';
import { briefIn } from '../role-inputs';
import type { ResearchPlan, RoleRequest } from '../role.types';

/** A direction per sub-question. No query stands in two directions. */
export function plan({ data }: RoleRequest): ResearchPlan {
  const { goal, sub_questions, depth, max_directions, max_queries } =
    briefIn(data);
  const titles = sub_questions.length > 0 ? sub_questions : [goal];
  const used = new Set<string>();
  const unused = (query: string) =>
    query !== '' && !used.has(query) && used.add(query);
  const directions = titles.slice(0, max_directions).map((title) => {
    const own = keywordsOf(title);
    const wanted =
      depth === 'quick'
        ? [own || title]
        : [own, keywordsOf(`${goal} ${title}`)];
    return { title, queries: wanted.filter(unused).slice(0, max_queries) };
  });
  const useful = directions.filter(({ queries }) => queries.length > 0);
  return {
    directions:
      useful.length > 0 ? useful : [{ title: titles[0], queries: [goal] }],
  };
}
