// Counts the model calls of agent runs at each depth, against the built-in sandbox: node script/agent-calls.mjs
// Needs `npm run build`. `docs/research-agent.md` shows what it prints.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const QUESTION = 'The history of kimchi in the villages';
/** More than the deepest run reads. */
const DOCUMENTS = 50;
/** Characters: a page that is read in one part, and one that has more parts than any depth reads. */
const SHORT = 4_000;
const LONG = 75_000;

const folder = mkdtempSync(join(tmpdir(), 'sonde-calls-'));
const service = spawn(process.execPath, ['dist/src/app/all-in-one.js'], {
  env: {
    PATH: process.env.PATH,
    RELAY_ENV_FILE: 'none',
    RELAY_DATA_DIR: folder,
    RELAY_PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [sandbox, sonde] = await addresses();
  const cases = [
    { name: 'the pages of the sandbox' },
    { name: '50 short documents', size: SHORT },
    { name: '50 long documents', size: LONG },
  ];
  for (const { name, size } of cases)
    for (const depth of ['quick', 'standard', 'deep']) {
      const before = await callsAt(sandbox);
      const { status, progress, usage } = await research(sonde, depth, size);
      const calls = (await callsAt(sandbox)) - before;
      const { searches, pages_opened } = progress;
      console.log(
        `${name}, ${depth}: ${status}, ${calls} model calls, ${searches} searches, ${pages_opened} pages, ${usage.total_tokens} tokens`,
      );
    }
} finally {
  service.kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true });
}

/** Of the sandbox and of the service. */
function addresses() {
  let log = '';
  return new Promise((resolve, reject) => {
    service.stdout.on('data', (chunk) => {
      log += chunk;
      const found = /sandbox at (\S+)[^]*listening on (http:\S+)/.exec(log);
      if (found) resolve(found.slice(1));
    });
    service.on('exit', () => reject(new Error(`It did not start:\n${log}`)));
  });
}

async function callsAt(sandbox) {
  const reply = await fetch(`${sandbox}/sandbox/stats?path=/chat/completions`);
  return (await reply.json()).requests.length;
}

async function research(sonde, depth, size) {
  const reply = await fetch(`${sonde}/api/v1/tool-invocations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      tool_name: 'deep_research',
      arguments: {
        research_question: QUESTION,
        engine: 'agent',
        depth,
        ...(size && { documents: documents(size) }),
      },
    }),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
}

function documents(size) {
  return Array.from({ length: DOCUMENTS }, (_, n) => {
    let text = '';
    for (let i = 0; text.length < size; i += 1)
      text += `In village ${n} the kimchi of year ${1000 + i + n * 997} was made with ${i + 3} cabbages, as book ${n}-${i} has it.${i % 5 ? ' ' : '\n\n'}`;
    return { title: `Book ${n}`, text };
  });
}
