// Simulates the service and the model endpoint for one client at a time: `/NAME` replays `cases/NAME.json` or
// `cli/NAME.json`. See README.md.
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { Expectation } from './expectation.mjs';
import { answer } from './answer.mjs';

const FOLDERS = ['cases', 'cli'];
const ADDRESS = /^\/([a-z0-9-]+)(\/.*)?$/;
/** Time within which a client must disconnect from a reply that hangs. */
const DISCONNECT_WITHIN_MS = 5_000;

/** The state of one case: its remaining exchanges and the differences found so far. */
class Play {
  faults = [];
  next = 0;
  hanging = new Map();

  constructor(name) {
    const files = FOLDERS.map(
      (folder) => new URL(`${folder}/${name}.json`, import.meta.url),
    );
    const text = readFileSync(files.find(existsSync) ?? files[0], 'utf8');
    this.exchanges = JSON.parse(text).exchanges;
    this.expectation = new Expectation();
  }

  async take(request, response, path) {
    const body = await bodyOf(request);
    const number = this.next++;
    const exchange = this.exchanges[number];
    const name = `exchange ${number}`;
    if (exchange === undefined) {
      this.faults.push(`${name}: not expected: ${request.method} ${path}`);
      // No client retries after this status.
      response.writeHead(418).end();
      return;
    }
    const got = { method: request.method, path, headers: request.headers };
    for (const fault of this.expectation.check(exchange.request, got, body))
      this.faults.push(`${name}: ${fault}`);
    const disconnected = new Promise((resolve) =>
      response.once('close', resolve),
    );
    if (mustBeClosedByClient(exchange.reply))
      this.hanging.set(name, disconnected);
    await answer(response, exchange.reply);
  }

  async report() {
    const faults = [...this.faults];
    for (const { request } of this.exchanges.slice(this.next))
      faults.push(`not received: ${request.method} ${request.path}`);
    for (const [name, disconnected] of this.hanging)
      if (!(await within(DISCONNECT_WITHIN_MS, disconnected)))
        faults.push(`${name}: the client did not close the connection`);
    return { ok: faults.length === 0, faults };
  }
}

const plays = new Map();
const server = createServer((request, response) => {
  route(request, response).catch((error) => {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end(`${error.message}\n`);
  });
});

async function route(request, response) {
  const [, name, path = '/'] = ADDRESS.exec(request.url) ?? [];
  if (name === undefined) throw new Error(`no case: ${request.url}`);
  if (!plays.has(name) || path === '/_reset') plays.set(name, new Play(name));
  const play = plays.get(name);
  if (path === '/_reset') response.writeHead(204).end();
  else if (path === '/_report') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(await play.report()));
  } else await play.take(request, response, path);
}

function mustBeClosedByClient(reply) {
  return reply === 'hang' || reply.end === 'hang';
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function within(ms, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const done = promise.then(() => true);
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.stdin.resume().once('close', () => process.exit());
