/** Delay before a reset, so that the client has received what was written; a reset discards data in transit. */
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
    // Each exchange has its own connection, so that a broken one affects no other.
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

/** Each chunk is written separately, after the previous one was flushed. */
async function write(response, chunk) {
  if (chunk.pause !== undefined) return sleep(chunk.pause * 1_000);
  const bytes =
    typeof chunk === 'string'
      ? Buffer.from(chunk)
      : Buffer.from(chunk.base64, 'base64');
  if (bytes.length > 0)
    await new Promise((resolve) => response.write(bytes, resolve));
  // The delay keeps chunks from being merged on the network.
  return sleep(5);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
