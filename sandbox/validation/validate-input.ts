import type {
  ResponseCreateParams,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { ApiError, badRequest } from '../wire/api-error';
import { textOf } from '../writer/request/conversation';
import { checkLength, checkName } from './limits';

const LONGEST_CALL_ID = 64;

/** The input as items; a plain string is one user message. */
export function inputItems(
  params: ResponseCreateParams,
  strict: boolean,
): ResponseInputItem[] {
  const { input = [] } = params;
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (strict && input.some(({ type }) => type === undefined)) throw untyped();
  input.forEach((item, index) => checkItem(item, index));
  return input;
}

/** In the words of llama-server, whose code is a number. */
const untyped = () =>
  new ApiError(400, "Cannot determine type of 'item'", null, 400);

function checkItem(item: ResponseInputItem, index: number): void {
  const { type } = item;
  if (type !== 'function_call' && type !== 'function_call_output') return;
  checkLength(item.call_id ?? '', LONGEST_CALL_ID, `input[${index}].call_id`);
  if (type === 'function_call') checkName(item.name, `input[${index}].name`);
}

/** Every tool output must belong to a call of the context, and every call must have an output. */
export function checkPairs(context: ResponseInputItem[]): void {
  const open = new Set<string>();
  const called = new Set<string>();
  for (const item of context) {
    if (item.type === 'function_call') {
      open.add(item.call_id);
      called.add(item.call_id);
    } else if (item.type === 'function_call_output') {
      const id = item.call_id ?? '';
      if (!called.has(id))
        throw badRequest(
          `No tool call found for function call output with call_id ${id}.`,
          'input',
        );
      open.delete(id);
    }
  }
  const [unanswered] = open;
  if (unanswered !== undefined)
    throw badRequest(
      `No tool output found for function call ${unanswered}.`,
      'input',
    );
}

export function checkMentionsJson(
  params: ResponseCreateParams,
  context: ResponseInputItem[],
): void {
  if (params.text?.format?.type !== 'json_object') return;
  const texts = context.map((item) =>
    'content' in item ? textOf(item.content) : '',
  );
  if (!/json/i.test([params.instructions ?? '', ...texts].join('\n')))
    throw badRequest(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    );
}
