// Receives the webhooks of Sonde and prints them: SECRET=whsec_… node examples/webhook/receiver.mjs [PORT]
// Needs nothing but Node.js. The signature is that of https://www.standardwebhooks.com.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const TOLERANCE_SECONDS = 5 * 60;
const [, base64] = /^whsec_(.+)$/.exec(process.env.SECRET ?? '') ?? [];
if (!base64) {
  console.error('SECRET is not whsec_<base64>.');
  process.exit(1);
}
const key = Buffer.from(base64, 'base64');
const port = Number(process.argv[2] ?? 9000);

createServer(async (request, reply) => {
  try {
    const body = await text(request);
    if (!isSigned(request.headers, body)) return reply.writeHead(400).end();
    console.log(request.headers['webhook-id'], body);
    reply.writeHead(204).end();
  } catch {
    reply.destroy();
  }
}).listen(port, '127.0.0.1', function () {
  console.log(
    `Waiting for webhooks at http://127.0.0.1:${this.address().port}`,
  );
});

/** One of several signatures is enough: there are two while a secret is replaced. */
function isSigned(headers, body) {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(time));
  if (!id || !(age <= TOLERANCE_SECONDS)) return false;
  const right = createHmac('sha256', key)
    .update(`${id}.${time}.${body}`)
    .digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'))
    .some(
      (given) => given.length === right.length && timingSafeEqual(given, right),
    );
}
