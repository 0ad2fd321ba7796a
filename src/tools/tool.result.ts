import { z } from 'zod';
import type { Part } from '../message/message';
import { ToolError } from './tool.error';

const image = z
  .object({
    url: z.string().optional(),
    data: z.string().optional(),
    mime_type: z.string().optional(),
  })
  .refine(({ url, data }) => url !== undefined || data !== undefined);
/** What nobody could be told later is no result now, whatever its type says. */
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

/** What a tool returns if text or one JSON value is not enough, e.g. images. */
export class ToolResult {
  constructor(readonly contents: Part[]) {}
}

/**
 * What a model is told of what a tool returned.
 * @throws ToolError `INVALID_RESULT` for what is neither a text nor JSON.
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

/** As it will be after a journey through JSON, which is where it goes. */
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
  const message = 'The tool returned something else than text or JSON.';
  return new ToolError('INVALID_RESULT', message, cause);
}
