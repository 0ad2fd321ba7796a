import type { Dispatcher } from 'undici';

/** Of an error only the beginning is read, for a limited time: its body may never end. */
export const MAX_ERROR_BYTES = 64 * 1024;
export const MAX_ERROR_MS = 10_000;

type Body = Dispatcher.ResponseData['body'];

const toolTexts = new WeakMap<object, string>();

/** Serializes a request. Its tools are most of its text and equal in every turn: each is serialized once, as a whole. */
export function requestText(body: object): string {
  const { tools, ...rest } = body as { tools?: unknown };
  const text = JSON.stringify(rest);
  if (!Array.isArray(tools) || text === '{}') return JSON.stringify(body);
  return `${text.slice(0, -1)},"tools":[${tools.map(toolText).join(',')}]}`;
}

function toolText(tool: object): string {
  const known = toolTexts.get(tool);
  if (known !== undefined) return known;
  const text = JSON.stringify(tool);
  toolTexts.set(tool, text);
  return text;
}

/** @throws the error of a broken connection, or an error if the body exceeds `maxBytes`. */
export async function bodyText(body: Body, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  const complete = await readInto(chunks, body, maxBytes);
  if (!complete) throw new Error(`The body is longer than ${maxBytes} bytes`);
  return decode(chunks);
}

/** The beginning of a body: what arrives of its first `maxBytes` before `ms` have passed or the connection breaks. */
export async function bodyStart(
  body: Body,
  maxBytes: number,
  ms: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => body.destroy(), ms);
  await readInto(chunks, body, maxBytes).catch(() => undefined);
  clearTimeout(timer);
  return decode(chunks).slice(0, maxBytes);
}

/** Returns false if there was more; the connection is then closed. */
async function readInto(
  chunks: Buffer[],
  body: Body,
  maxBytes: number,
): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return false;
  }
  return true;
}

const decoder = new TextDecoder();

/** Without a byte order mark. */
export function decode(chunks: Buffer[]): string {
  return decoder.decode(
    chunks.length === 1 ? chunks[0] : Buffer.concat(chunks),
  );
}
