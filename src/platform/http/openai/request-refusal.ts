import type { z } from 'zod';
import { OpenAiRefusal } from './openai-error';

/** How the message of a rule begins that refuses what OpenAI takes. */
const UNSUPPORTED = 'is not supported';
/** What zod says of a union that has no message of its own. */
const UNEXPLAINED = 'Invalid input';
const MAX_PATH = 200;

/** The first fault of a body, in the words and with the code of OpenAI. */
export function refusalOf(
  { issues: [issue] }: z.ZodError,
  body: unknown,
): OpenAiRefusal {
  const { path, message } = issue;
  const param = pathOf(path);
  const named = param === '' ? 'the body' : `'${param}'`;
  if (issue.code === 'unrecognized_keys') {
    const unknown = pathOf([...path, issue.keys[0].slice(0, 100)]);
    return new OpenAiRefusal(
      'unknown_parameter',
      `Unknown parameter: '${unknown}'.`,
      unknown,
    );
  }
  if (message.startsWith(UNSUPPORTED))
    return new OpenAiRefusal(
      'unsupported_parameter',
      `Unsupported parameter: ${named} ${message}.`,
      param,
    );
  if (valueAt(body, path) === undefined)
    return new OpenAiRefusal(
      'missing_required_parameter',
      `Missing required parameter: ${named}.`,
      param,
    );
  const reason = message === UNEXPLAINED ? 'it has no supported form' : message;
  return new OpenAiRefusal(
    issue.code === 'invalid_type' ? 'invalid_type' : 'invalid_value',
    `Invalid ${named}: ${reason}.`,
    param,
  );
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (Object(value) as Record<PropertyKey, unknown>)[key],
    body,
  );
}

/** As OpenAI writes it: `input[0].content`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number'
        ? `[${key}]`
        : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('')
    .slice(0, MAX_PATH);
}
