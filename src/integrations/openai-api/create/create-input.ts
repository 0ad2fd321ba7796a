import { z } from 'zod';
import { asItem, asItems } from '../../../platform/http/openai/response.schema';
import { MAX_QUESTION_CHARS } from '../../../platform/message/message';

const MAX_ITEMS = 200;

const part = z
  .looseObject({
    type: z.enum(
      ['input_text', 'output_text'],
      'research models take text alone',
    ),
    text: z.string().max(1_000_000),
  })
  .transform(({ type, text }) => ({ type, text }));

const asParts = (content: unknown): unknown =>
  typeof content === 'string'
    ? [{ type: 'input_text', text: content }]
    : content;

const message = z.looseObject({
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.preprocess(asParts, z.array(part).max(100)),
});

/** Items of an earlier output, which a program hands back with its text. They say nothing that the text does not. */
const step = z.looseObject({
  type: z.enum(['reasoning', 'web_search_call', 'file_search_call']),
});

export const createInput = z.preprocess(
  asItems,
  z
    .array(z.preprocess(asItem, z.discriminatedUnion('type', [message, step])))
    .max(MAX_ITEMS)
    .transform((items) => items.filter((item) => item.type === 'message')),
);

export type CreateMessage = z.infer<typeof createInput>[number];

/** A conversation as research takes it: the last message of the user is the question, what comes before is context. */
export interface Question {
  research_question: string;
  system_prompt?: string;
  context?: string[];
}

/** Undefined without a message of the user. */
export function questionOf(
  messages: readonly CreateMessage[],
  instructions: string | null | undefined,
): Question | undefined {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  if (at < 0) return undefined;
  const isRule = ({ role }: CreateMessage) =>
    role === 'system' || role === 'developer';
  const rules = messages.filter(isRule).map(textOf);
  const system = [instructions, ...rules].filter(Boolean).join('\n\n');
  const context = messages
    .filter((item, index) => index !== at && !isRule(item))
    .flatMap((item) => linesOf(item));
  return {
    research_question: textOf(messages[at]),
    ...(system && { system_prompt: system }),
    ...(context.length > 0 && { context }),
  };
}

export function textOf({ content }: CreateMessage): string {
  return content.map(({ text }) => text).join('\n');
}

/** A long answer of an earlier turn takes several lines. */
function linesOf(item: CreateMessage): string[] {
  const who = item.role === 'user' ? 'user' : 'assistant';
  const head = `Earlier message of the ${who}: `;
  const size = MAX_QUESTION_CHARS - head.length;
  const text = textOf(item);
  const lines: string[] = [];
  for (let from = 0; from < text.length; from += size)
    lines.push(head + text.slice(from, from + size).toWellFormed());
  return lines;
}
