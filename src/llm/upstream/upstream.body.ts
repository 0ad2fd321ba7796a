import type { Dispatcher } from 'undici';

type Body = Dispatcher.ResponseData['body'];

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

function decode(chunks: Buffer[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}
