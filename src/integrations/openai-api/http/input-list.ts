import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import type { InputItem } from '../response-request';

const MOST = 100;

/** A page of the input of a response, newest first unless asked for otherwise. */
export function listed(
  input: readonly InputItem[],
  { limit = '20', order = 'desc', after }: Record<string, unknown>,
) {
  if (order !== 'asc' && order !== 'desc')
    throw invalid('order', 'must be asc or desc');
  const size = /^\d{1,3}$/.test(String(limit)) ? Number(limit) : 0;
  if (size < 1 || size > MOST) throw invalid('limit', `must be 1 to ${MOST}`);
  const all = order === 'asc' ? [...input] : input.toReversed();
  const from = after === undefined ? 0 : indexAfter(all, after);
  const data = all.slice(from, from + size);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + size < all.length,
  };
}

function indexAfter(items: readonly InputItem[], after: unknown): number {
  const at = items.findIndex(({ id }) => id === after);
  if (at < 0) throw invalid('after', 'must be the id of an input item');
  return at + 1;
}

function invalid(param: string, fault: string): OpenAiRefusal {
  return new OpenAiRefusal(
    'invalid_value',
    `Invalid '${param}': it ${fault}.`,
    param,
  );
}
