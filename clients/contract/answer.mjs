/** What was written may still be on its way through the client when its connection breaks; it would then be lost there. */
const ARRIVES_WITHIN_MS = 300;

/** Sends the reply of an exchange. */
export async function answer(response, reply) {
  if (reply === 'reset') response.socket.resetAndDestroy();
  else if (reply !== 'hang') await send(response, reply);
}

async function send(response, reply) {
  const { status = 200, headers = {}, end = 'close' } = reply;
  const chunks = chunksOf(reply);
  response.writeHead(status, {
    ...typeOf(reply),
    // Each exchange has a connection of its own: what one breaks is no other's.
    connection: 'close',
    ...headers,
  });
  response.flushHeaders();
  for (const chunk of chunks) await write(response, chunk);
  if (end === 'close') response.end();
  if (end !== 'reset') return;
  await sleep(ARRIVES_WITHIN_MS);
  response.socket?.resetAndDestroy();
}

function chunksOf({ body, text, chunks }) {
  if (chunks !== undefined) return chunks;
  if (text !== undefined) return [text];
  return body === undefined ? [] : [JSON.stringify(body)];
}

function typeOf({ status = 200, body, chunks }) {
  if (chunks !== undefined)
    return { 'content-type': 'text/event-stream; charset=utf-8' };
  if (body === undefined) return {};
  const problem = status >= 400 && typeof body.title === 'string';
  const subtype = problem ? 'problem+json' : 'json';
  return { 'content-type': `application/${subtype}; charset=utf-8` };
}

/** Each chunk is a write of its own, which the next one waits for. */
async function write(response, chunk) {
  if (chunk.pause !== undefined) return sleep(chunk.pause * 1_000);
  const bytes =
    typeof chunk === 'string'
      ? Buffer.from(chunk)
      : Buffer.from(chunk.base64, 'base64');
  if (bytes.length > 0)
    await new Promise((resolve) => response.write(bytes, resolve));
  // So that it is not joined with the next one on its way.
  return sleep(5);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
