import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { budgetSchema, DEPTHS } from '../../src/research/arguments/budget';

const asked = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  question: z.string().min(10),
  language: z.enum(['en', 'ko']),
});

/** Its answer is known. */
const known = asked.extend({
  /** Regular expressions, without case. A sentence that one of them finds gives the answer. */
  answers: z.array(z.string()).min(1),
  /** Words of the page that the notes of a run must hold. */
  facts: z.array(z.string()).min(1),
  /** Of the corpus. */
  page: z.string(),
});

/** Its answer is a judgement, which is read and not counted. */
const open = asked.extend({
  depth: z.enum(DEPTHS),
  budget: budgetSchema,
});

/** An open one has no answers and no facts, and its page is empty. */
export type Question = z.infer<typeof known> &
  Partial<Pick<z.infer<typeof open>, 'depth' | 'budget'>>;

const FOLDER = join('eval', 'research');

export const readQuestions = (): Question[] =>
  z.array(known).parse(fileOf('questions.json'));

export const readOpenQuestions = (): Question[] =>
  z
    .array(open)
    .parse(fileOf('open-questions.json'))
    .map((one) => ({ ...one, answers: [], facts: [], page: '' }));

const fileOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

/** So many of them, evenly chosen. */
export function some<T>(all: readonly T[], count: number): T[] {
  const most = Math.min(count, all.length);
  return Array.from(
    { length: most },
    (_, at) => all[Math.floor((at * all.length) / most)],
  );
}

export const answers = ({ answers: forms }: Question, text: string): boolean =>
  forms.some((form) => new RegExp(form, 'iu').test(text));
