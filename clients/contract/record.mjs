// Sends the requests of every `recorded` case to a live stand and records the replies. With --check it only verifies
// that they have the same fields of the same types. Requires the built service.
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { startStand } from './live-stand.mjs';
import { differences } from './shape.mjs';

const CASES = new URL('cases/', import.meta.url);
const ID = /^[a-z]+[_-][\w-]+$/;
/** The headers of a reply that clients read; the replay server derives the content type itself. */
const HEADERS = ['location', 'idempotent-replayed', 'retry-after'];

/** Runs one case against the stand. Ids and tokens of its file are mapped to those of this run. */
class Recording {
  ids = new Map();
  keys = new Map();

  constructor(stand, recorded) {
    this.stand = stand;
    this.recorded = recorded;
  }

  /** The replies, in the order of the exchanges. */
  async replies() {
    const replies = [];
    for (const { request, reply } of this.recorded.exchanges) {
      const live = await this.until(reply, request);
      this.learn(reply, live);
      replies.push(live);
    }
    return replies;
  }

  /** Records that change by themselves are polled until they have the recorded status. */
  async until(recorded, request) {
    for (;;) {
      const live = await this.send(request);
      const expected = recorded.body?.status;
      const got = live.body?.status;
      if (request.method !== 'GET' || expected === got || !isOpen(got))
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

  /** Replaces the recorded ids by those of this run. */
  translated(value) {
    const text = JSON.stringify(value).replace(
      /[\w-]+/g,
      (word) => this.ids.get(word) ?? word,
    );
    return JSON.parse(text);
  }

  /** Replaces `$key` of a request by a random string, the same within the case. */
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
  const present = HEADERS.filter((name) => headers.has(name)).map((name) => [
    name,
    headers.get(name),
  ]);
  const type = headers.get('content-type') ?? '';
  return {
    status,
    ...(present.length > 0 && { headers: Object.fromEntries(present) }),
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
