import { parseArgs } from 'node:util';
import { agent } from './rows/agent.bench';
import { chat } from './rows/chat.bench';
import { evidence } from './rows/evidence.bench';
import { followers } from './rows/followers.bench';
import { latency } from './rows/latency.bench';
import { memory } from './rows/memory.bench';
import { runs } from './rows/runs.bench';
import { stalls } from './rows/stalls.bench';
import { writeReport } from './report';
import { submit } from './rows/submit.bench';
import { tables } from './rows/tables.bench';
import { tenants } from './rows/tenants.bench';
import { type Figure, toTable } from './table';

const BENCHES: Record<string, () => Promise<Figure[]>> = {
  chat,
  stalls,
  submit,
  tenants,
  latency,
  followers,
  memory,
  runs,
  agent,
  tables,
  evidence,
};
const USAGE = `npm run bench -- [--only ${Object.keys(BENCHES).join('|')}] [--write]`;

/** Measures one row after the other, so that none disturbs another. */
async function main(): Promise<void> {
  const { only, write } = readOptions();
  const figures: Figure[] = [];
  for (const name of only ? [only] : Object.keys(BENCHES)) {
    process.stderr.write(`${name} …\n`);
    figures.push(...(await BENCHES[name]()));
  }
  const table = toTable(figures);
  console.log(table);
  if (write) await writeReport(table);
}

function readOptions(): { only?: string; write?: boolean } {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, write: { type: 'boolean' } },
  });
  const { only, write } = values;
  if (only !== undefined && !(only in BENCHES))
    throw new Error(`Unknown bench "${only}". ${USAGE}`);
  if (only !== undefined && write)
    throw new Error('--write needs all rows: leave out --only.');
  return values;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
