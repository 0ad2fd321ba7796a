import { z } from 'zod';
import type { Part } from '../platform/message/message';
import { ToolError } from './tool-error';

const image = z
  .object({
    url: z.string().optional(),
    data: z.string().optional(),
    mime_type: z.string().optional(),
  })
  .refine(({ url, data }) => url !== undefined || data !== undefined);
/** Unknown content is refused here, whatever its declared type is. */
const parts: z.ZodType<Part[]> = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('image'), image }),
    z.object({
      type: z.literal('function'),
      function: z.object({
        id: z.string().optional(),
        name: z.string(),
        arguments: z.string(),
      }),
    }),
    z.object({ type: z.literal('value'), value: z.unknown() }),
  ]),
);

/** The result of a tool if text or one JSON value is not enough, e.g. images. */
export class ToolResult {
  constructor(readonly contents: Part[]) {}
}

/**
 * The content that a model gets for a returned value.
 * @throws ToolError `INVALID_RESULT` for a value that is neither text nor JSON.
 */
export function toContents(returned: unknown): Part[] {
  if (returned instanceof ToolResult) {
    const { success, data, error } = parts.safeParse(jsonOf(returned.contents));
    if (!success) throw invalid(error);
    return data;
  }
  if (returned === undefined) return [{ type: 'text', text: 'Done.' }];
  if (typeof returned === 'string') {
    return [{ type: 'text', text: returned.toWellFormed() }];
  }
  return [{ type: 'value', value: jsonOf(returned) }];
}

/** The value after serialisation to JSON and back, as it is stored. */
function jsonOf<T>(value: T): T {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw invalid(error);
  }
  if (json === undefined) throw invalid();
  return JSON.parse(json) as T;
}

function invalid(cause?: unknown): ToolError {
  const message = 'The tool returned neither text nor JSON.';
  return new ToolError('INVALID_RESULT', message, cause);
}
