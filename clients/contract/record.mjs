// Sends the requests of every case that is `recorded` to a live stand. Writes down what it says, or with --check only
// whether that has still the same fields, of the same types. Needs the built service.
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { startStand } from './live-stand.mjs';
import { differences } from './shape.mjs';

const CASES = new URL('cases/', import.meta.url);
const ID = /^[a-z]+[_-][\w-]+$/;
/** The headers of a reply that clients read; the server of the cases knows the type of its content itself. */
const HEADERS = ['location', 'idempotent-replayed', 'retry-after'];

/** One case against the stand. Ids and tokens of its file stand for those that are given out this time. */
class Recording {
  ids = new Map();
  keys = new Map();

  constructor(stand, recorded) {
    this.stand = stand;
    this.recorded = recorded;
  }

  /** Its replies, in the order of its exchanges. */
  async replies() {
    const replies = [];
    for (const { request, reply } of this.recorded.exchanges) {
      const live = await this.until(reply, request);
      this.learn(reply, live);
      replies.push(live);
    }
    return replies;
  }

  /** What begins and ends by itself is read until it is where it was when it was recorded. */
  async until(recorded, request) {
    for (;;) {
      const live = await this.send(request);
      const wanted = recorded.body?.status;
      const got = live.body?.status;
      if (request.method !== 'GET' || wanted === got || !isOpen(got))
        return live;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async send(request) {
    const { method, path, headers, body } = this.translated(
      this.keyed(request),
    );
    const { relay, model } = this.stand;
    const url = path.startsWith('/model/')
      ? model + path.slice('/model'.length)
      : relay + path;
    const got = await fetch(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return replyOf(got, await got.text());
  }

  /** The same with the ids of this time. */
  translated(value) {
    const text = JSON.stringify(value).replace(
      /[\w-]+/g,
      (word) => this.ids.get(word) ?? word,
    );
    return JSON.parse(text);
  }

  /** `$key` of a request is any string, one for the whole case. */
  keyed(request) {
    const text = JSON.stringify(request).replace(
      /(?<=")\$[a-z_]+(?=")/g,
      (name) => {
        if (!this.keys.has(name)) this.keys.set(name, randomUUID());
        return this.keys.get(name);
      },
    );
    return JSON.parse(text);
  }

  learn(recorded, live) {
    if (typeof recorded === 'string' && typeof live === 'string') {
      const isOther = recorded !== live && !this.ids.has(recorded);
      if (isOther && ID.test(recorded) && ID.test(live))
        this.ids.set(recorded, live);
    } else if (isObject(recorded) && isObject(live))
      for (const key of Object.keys(recorded))
        this.learn(recorded[key], live[key]);
  }
}

function replyOf({ status, headers }, text) {
  const known = HEADERS.filter((name) => headers.has(name)).map((name) => [
    name,
    headers.get(name),
  ]);
  const type = headers.get('content-type') ?? '';
  return {
    status,
    ...(known.length > 0 && { headers: Object.fromEntries(known) }),
    ...(/json/.test(type) && { body: JSON.parse(text) }),
    ...(/event-stream/.test(type) && { chunks: framesOf(text) }),
  };
}

function framesOf(text) {
  return text
    .split(/(?<=\n\n)/)
    .filter((frame) => frame !== '' && !frame.startsWith(':'));
}

function isOpen(status) {
  return ['queued', 'running', 'in_progress'].includes(status);
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

async function write(file, recording) {
  const replies = await recording.replies();
  const { exchanges, ...rest } = recording.recorded;
  const recorded = {
    ...recording.translated(rest),
    exchanges: exchanges.map(({ request, ...more }, at) => ({
      request: recording.translated(request),
      ...more,
      reply: replies[at],
    })),
  };
  const text = JSON.stringify(recorded);
  writeFileSync(file, await format(text, { parser: 'json' }));
}

async function check(name, recording) {
  const { exchanges } = recording.recorded;
  const replies = await recording.replies();
  for (const [at, live] of replies.entries()) {
    const { reply, under_way = false } = exchanges[at];
    for (const difference of differences(reply, live, under_way)) {
      console.log(`${name}: exchange ${at}: ${difference}`);
      process.exitCode = 1;
    }
  }
}

const stand = await startStand();
let count = 0;
try {
  for (const file of readdirSync(CASES)) {
    const url = new URL(file, CASES);
    const recorded = JSON.parse(readFileSync(url, 'utf8'));
    if (!recorded.recorded) continue;
    count += 1;
    const recording = new Recording(stand, recorded);
    if (process.argv.includes('--check'))
      await check(file.replace('.json', ''), recording);
    else await write(url, recording);
  }
} finally {
  await stand.stop();
}
console.log(`${count} cases`);
