import { z } from 'zod';
import { list, type RolePrompt, text } from './prompt';

/** The most sentences that one call mends. */
export const MAX_REWRITTEN = 25;

/** Blocks: question, brief, section, faulty, notes. */
export const rewritePrompt: RolePrompt<{
  sentences: { id: string; text: string; note_ids: string[] }[];
}> = {
  name: 'research_rewrite',
  model: 'writer',
  maxTokens: 2_000,
  schema: z.object({
    sentences: list(
      z.object({
        id: text(20).min(1),
        text: text(1_200).min(1),
        note_ids: list(text(20), 12, 1),
      }),
      MAX_REWRITTEN,
    ),
  }),
  system: [
    'Role: writer. The block "section" is a section of the report that you wrote. Its sentences in the block "faulty" were compared with the quotes of their notes and found wrong; "found" says how: contradicted (the quotes say otherwise), unsupported (they do not say it, or only half of it), number_differs (a number stands nowhere in them), text_differs (a copy in which words were changed). "detail" names the words. Where "kind" is judgement, the sentence is a conclusion, worded as one; without one it states what its notes state.',
    'Write each of them again, in the language of the section, so that the quotes of its notes state all of it, or a judgement follows from them and is worded as one. Say nothing that the rest of the section says, and no more than the sentence did. Keep numbers, units, names, every "not", every doubt and who says it as the quotes have them.',
    '- sentences: id as in "faulty"; text, one sentence of plain text in its place, or a cell or list item where it is one; note_ids, the notes that state it.',
    'Leave out an id for which the notes state nothing of the kind.',
  ].join('\n'),
};
