import { z } from 'zod';
import { OpenAiRefusal } from '../../http/openai/openai-error';

/** The message of what OpenAI takes and this service cannot honour. */
export const UNSUPPORTED = 'is not supported by research models';

/** A parameter that may be absent or null alone. */
export const unsupported = z.null(UNSUPPORTED).optional();

/** The first fault, in the words and with the code of OpenAI. */
export function refusalOf({ issues: [issue] }: z.ZodError): OpenAiRefusal {
  const param = pathOf(issue.path);
  const named = param === '' ? 'the body' : `'${param}'`;
  if (issue.message === UNSUPPORTED)
    return new OpenAiRefusal(
      'unsupported_parameter',
      `Unsupported parameter: ${named} ${UNSUPPORTED}.`,
      param,
    );
  if (issue.code === 'unrecognized_keys') {
    const unknown = pathOf([...issue.path, issue.keys[0].slice(0, 100)]);
    return new OpenAiRefusal(
      'unknown_parameter',
      `Unknown parameter: '${unknown}'.`,
      unknown,
    );
  }
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return new OpenAiRefusal(
      'missing_required_parameter',
      `Missing required parameter: ${named}.`,
      param,
    );
  return new OpenAiRefusal(
    issue.code === 'invalid_type' ? 'invalid_type' : 'invalid_value',
    `Invalid ${named}: ${issue.message}.`,
    param,
  );
}

const MAX_PATH = 200;

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
