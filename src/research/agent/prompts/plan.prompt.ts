import { z } from 'zod';
import type { Plan } from '../agent.types';
import { list, type RolePrompt, text } from './prompt';

/** Blocks: question, brief, wishes; of a follow-up also previous. */
export const planPrompt: RolePrompt<Plan> = {
  name: 'research_plan',
  model: 'writer',
  maxTokens: 1_200,
  schema: z
    .object({
      directions: list(
        z.object({
          title: text(200).min(1),
          queries: list(text(300), 4).min(1),
        }),
        6,
      ).min(1),
    })
    .refine(
      ({ directions }) => directions.some((one) => one.queries.some(Boolean)),
      'no direction has a query',
    ),
  system: [
    'Role: planner. Divide the brief into directions of research that do not overlap, the most important first.',
    '- directions: as many as the brief needs, at most the number in its field max_directions. A simple question has one.',
    '- title: what the direction is to find out.',
    '- queries: for a search engine, the best first: at most max_queries per direction. Short: the words that a page with the answer has, with names spelled out.',
    '  Use the language in which the best sources are written. Put in no personal data.',
    'At most max_searches searches are made and max_pages pages are read, dealt to the directions in order: more directions than pages are of no use.',
    'Leave out what the brief excludes.',
    'If there is a block "previous", it is an earlier report: search for what it does not answer, and copy no sentence of it into a query.',
  ].join('\n'),
};
