import { z } from 'zod';
import {
  asItem,
  asItems,
  OTHER_ITEMS,
} from '../../../platform/http/openai/response.schema';
import { MAX_QUESTION_CHARS } from '../../../platform/message/message';
import { UNSUPPORTED } from './unsupported';

export const MAX_ITEMS = 200;

const text = z.string().max(1_000_000);
const textPart = z
  .looseObject({ type: z.enum(['input_text', 'output_text']), text })
  .transform(({ type, text }) => ({ type, text }));
const elsewhere = z
  .null(`${UNSUPPORTED}: put the file itself into file_data, in base64`)
  .optional();
const filePart = z
  .looseObject({
    type: z.literal('input_file'),
    file_id: elsewhere,
    file_url: elsewhere,
    file_data: z.string().min(1),
    filename: z.string().max(1_000).nullish(),
  })
  .transform(({ type, file_data, filename }) => ({
    type,
    file_data,
    ...(filename && { filename }),
  }));
const part = z.discriminatedUnion(
  'type',
  [textPart, filePart],
  'research models take texts and files alone',
);

const asParts = (content: unknown): unknown =>
  typeof content === 'string'
    ? [{ type: 'input_text', text: content }]
    : content;

const message = z.looseObject({
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.preprocess(asParts, z.array(part).max(100)),
});

/** A step of an earlier turn, with what it called and what that gave, as far as its type has either. */
const step = z.looseObject({
  type: z.enum(['function_call', 'function_call_output', ...OTHER_ITEMS]),
  call_id: z.string().max(255).nullish(),
  name: z.string().max(255).nullish(),
  arguments: text.nullish(),
  code: text.nullish(),
});

export const createInput = z.preprocess(
  asItems,
  z
    .array(z.preprocess(asItem, z.discriminatedUnion('type', [message, step])))
    .max(MAX_ITEMS),
);

type CreateItem = z.infer<typeof createInput>[number];
export type CreateMessage = Extract<CreateItem, { type: 'message' }>;

type CreateStep = Exclude<CreateItem, CreateMessage>;

/** A conversation as research takes it: the last message of the user is the question, what comes before is context. */
export interface Question {
  research_question: string;
  system_prompt?: string;
  context?: string[];
}

/** Undefined without a message of the user. */
export function questionOf(
  items: readonly CreateItem[],
  instructions: string | null | undefined,
): Question | undefined {
  const messages = messagesOf(items);
  const asked = messages.findLast(({ role }) => role === 'user');
  if (!asked) return undefined;
  const isRule = ({ role }: CreateMessage) =>
    role === 'system' || role === 'developer';
  const rules = messages.filter(isRule).map(textOf);
  const system = [instructions, ...rules].filter(Boolean).join('\n\n');
  const calls = new Map<unknown, CreateItem>();
  const context = items.flatMap((item) => {
    if (item.type === 'message')
      return item === asked || isRule(item) ? [] : linesOfMessage(item);
    const call = calls.get(item.call_id) ?? item;
    if (item.call_id) calls.set(item.call_id, item);
    return linesOfStep(call as CreateStep, item);
  });
  return {
    research_question: textOf(asked),
    ...(system && { system_prompt: system }),
    ...(context.length > 0 && { context }),
  };
}

/** A file in a message, and where it was given. */
export interface InputFile {
  readonly path: string;
  readonly document: { file_data: string; filename?: string };
}

/** The files of all messages, in their order. */
export function filesOf(items: readonly CreateItem[]): InputFile[] {
  return items.flatMap((item, at) =>
    item.type !== 'message'
      ? []
      : item.content.flatMap((one, index) => {
          if (one.type !== 'input_file') return [];
          const { type: _, ...document } = one;
          return [{ path: `input[${at}].content[${index}]`, document }];
        }),
  );
}

export function messagesOf(items: readonly CreateItem[]): CreateMessage[] {
  return items.filter((item) => item.type === 'message');
}

export function textOf({ content }: CreateMessage): string {
  return content
    .flatMap((one) => (one.type === 'input_file' ? [] : [one.text]))
    .join('\n');
}

function linesOfMessage(item: CreateMessage): string[] {
  const who = item.role === 'user' ? 'user' : 'assistant';
  return linesOf(`Earlier message of the ${who}`, textOf(item));
}

/** @param call the same, or the step that it is the result of. Without a result, a step says nothing that the texts do not. */
function linesOfStep(call: CreateStep, given: CreateStep): string[] {
  const result = resultOf(given.output ?? given.outputs);
  if (result === '') return [];
  const name = call.name ?? call.type.replace(/_call(_output)?$/, '');
  const called = call.arguments ?? call.code ?? call.input;
  const args = typeof called === 'string' ? `for ${called}` : '';
  return linesOf(`Earlier result of the tool ${name}`, `${args}\n${result}`);
}

/** The texts of a result, which is one, or a list of parts. */
function resultOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return '';
  const texts = output.map((one: unknown) => {
    const { text, logs } = Object(one) as Record<string, unknown>;
    return text ?? logs;
  });
  return texts.filter((one) => typeof one === 'string').join('\n');
}

/** A long text takes several lines. */
function linesOf(title: string, text: string): string[] {
  const head = `${title}: `;
  const size = MAX_QUESTION_CHARS - head.length;
  const lines: string[] = [];
  for (let from = 0; from < text.length; from += size)
    lines.push(head + text.slice(from, from + size).toWellFormed());
  return lines;
}
