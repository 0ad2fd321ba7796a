import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isObject } from '../../platform/message/call-arguments';
import type { ToolAnnotations } from '../tool';

/** A server beyond these limits is broken or malicious. */
const MAX_PAGES = 64;
const MAX_TOOLS = 1_000;
/** Of one definition as JSON, which models receive in full. */
const MAX_DEFINITION = 64 * 1024;

/** The definition of a tool by its server, as far as it is understood. */
export type McpDefinition = z.infer<typeof definition>;

const hint = z.boolean().optional().catch(undefined);
const optionalText = z.string().optional().catch(undefined);

const definition = z.object({
  name: z.string().min(1),
  title: optionalText,
  description: optionalText,
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.looseObject({}).optional().catch(undefined),
  annotations: z
    .object({
      title: optionalText,
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    } satisfies Record<keyof ToolAnnotations, z.ZodType>)
    .catch({}),
  execution: z
    .looseObject({ taskSupport: optionalText })
    .optional()
    .catch(undefined),
});

/** The key under which list entries bypass the validation of the SDK. */
const ENTRIES = 'sonde/entries';

const page = z.looseObject({
  [ENTRIES]: z.array(z.unknown()),
  nextCursor: z.string().optional(),
});

/**
 * Must be applied to every message before the SDK sees it: the SDK would refuse the whole list for one invalid entry or
 * a missing cache hint.
 */
export function bypassEntryValidation(message: JSONRPCMessage): void {
  const result = 'result' in message ? message.result : undefined;
  if (!isObject(result) || !Array.isArray(result.tools)) return;
  const hints = { ttlMs: 0, cacheScope: 'private' };
  Object.assign(result, hints, { [ENTRIES]: result.tools, tools: [] });
  if (typeof result.nextCursor !== 'string') delete result.nextCursor;
}

/** All entries that the server lists, not validated. */
export async function readDefinitions(
  client: Client,
  timeout: number,
): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && found.length < MAX_TOOLS; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const request = { method: 'tools/list' as const, params };
    const result = await client.request(request, page, { timeout });
    found.push(...result[ENTRIES]);
    const { nextCursor } = result;
    if (nextCursor === undefined || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return found.slice(0, MAX_TOOLS);
}

/** The name of an entry in the log. */
export function nameOf(entry: unknown): string {
  const name = isObject(entry) ? entry.name : undefined;
  return typeof name === 'string' ? name.slice(0, 128) : 'without a name';
}

/** @throws Error whose message is the reason, e.g. `has no name`. */
export function parseDefinition(entry: unknown): McpDefinition {
  if ((JSON.stringify(entry) ?? '').length > MAX_DEFINITION) {
    throw new Error(`is described in more than ${MAX_DEFINITION} characters`);
  }
  const { data, error } = definition.safeParse(entry);
  if (error) {
    const named = error.issues[0].path[0] !== 'name';
    throw new Error(named ? 'has no schema of an object' : 'has no name');
  }
  if (data.execution?.taskSupport === 'required') {
    throw new Error('can only be called as a task');
  }
  return data;
}
