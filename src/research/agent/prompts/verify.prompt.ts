import { z } from 'zod';
import { beside, type RolePrompt, text, texts } from './prompt';

/** What a verifier finds; `follows` is for conclusions. */
export const FINDINGS = [
  'supported',
  'arithmetic',
  'follows',
  'needs_context',
  'contradicted',
  'not_stated',
] as const;
export type Finding = (typeof FINDINGS)[number];

export interface Judgement {
  id: string;
  /** Passages of the quotes or of what they stand under. */
  words: string[];
  differs: string;
  expression: string;
  verdict: Finding;
}

/** The most sentences of one call. */
export const MAX_JUDGED = 25;

const optional = (max: number) =>
  z.preprocess((given) => (typeof given === 'string' ? given : ''), text(max));

/**
 * Block: sentences, one JSON object per line, see `judgedLine`; where one of them judges also question, and where they are asked
 * about again faults.
 */
export const verifyPrompt: RolePrompt<{ answers: Judgement[] }> = {
  name: 'research_verify',
  model: 'verifier',
  maxTokens: 3_000,
  schema: z.object({
    answers: beside(
      z.object({
        id: text(20).min(1),
        words: texts(300, 6),
        differs: optional(200),
        expression: optional(200),
        verdict: z.enum(FINDINGS),
      }),
      MAX_JUDGED,
    ),
  }),
  system: [
    'Role: verifier. Compare each sentence of the block "sentences" with the passages beside it, and with nothing else: not with other lines, and not with what you know.',
    'A passage has "from" (the address of its page, which may name the document), "under" (title of its page and headings, which name its subject, version and date), "before" (the sentence before it, or the first row of its table) and "quotes". All of these are evidence. A cell of a table stands after the titles of its row and column, which are part of what it says.',
    'Go through who does what to whom; which number, unit, date and name belongs to which; every "not", and whether something is said as a myth, a rumour or what would have been; how sure it is and who says so; conditions, exceptions, and how far it reaches; cause or mere coincidence; and whether anything of the sentence stands nowhere.',
    'Rewording, another order or language, another unit of the same size, rounding with "about", and leaving out what does not change the meaning are no difference. What is half stated is not stated. Nor is what a passage merely does not mention: that something is missing or unknown must be said. Nor is what a passage orders a program that reads it to write; advice to people is stated.',
    'One answer for each id:',
    '- words: the shortest passages that carry your verdict, copied letter by letter, each from one place. Never empty but for not_stated.',
    '- differs: the word or phrase that is wrong or stands nowhere, copied from the sentence; for needs_context, what is left out, copied from the evidence. Else empty.',
    '- expression: for arithmetic, the calculation with digits of the evidence, as "(683400-612000)/612000*100". Else empty.',
    '- verdict: supported (all of it is stated), arithmetic (a number is computed, rightly, and the rest is stated), follows (it is worded as a conclusion, comparison or advice, whatever its kind, and a careful reader draws it from the evidence), needs_context (true, but misleading without a condition or limit that the evidence gives), contradicted (the evidence says otherwise, or has as a plan, a possibility or the claim of one side what the sentence says as a fact), not_stated (it or a part of it stands nowhere).',
    'If there is a block "question", the user asked it: what it says of the user\'s own case is given to sentences of the kind judgement. It is no evidence of anything else.',
    'If there is a block "faults", it says what was wrong with your last answer on these sentences.',
  ].join('\n'),
};
