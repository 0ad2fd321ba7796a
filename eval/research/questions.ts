import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const question = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  question: z.string().min(10),
  language: z.enum(['en', 'ko']),
  /** Regular expressions, without case. A sentence that one of them finds gives the answer. */
  answers: z.array(z.string()).min(1),
  /** Words of the page that the notes of a run must hold. */
  facts: z.array(z.string()).min(1),
  /** Of the corpus. */
  page: z.string(),
});
export type Question = z.infer<typeof question>;

const FILE = join('eval', 'research', 'questions.json');

export function readQuestions(): Question[] {
  return z.array(question).parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

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
