import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { check, type Violation } from './checks/checks';
import { drive } from './load/drive';
import type { History, Strike } from './checks/history';
import { endOf } from './load/observed-run';
import { AGENT_SHARE, makeSchedule } from './schedule';

const USAGE =
  'npm run chaos -- [--schedules N] [--invocations N per schedule] [--seed S] [--agents SHARE from 0 to 1]';

/** One fault often has a thousand violations. */
const SHOWN = 30;

/** Runs one schedule after the other. The seed of each is one higher, so that each can be repeated alone. */
async function main(): Promise<void> {
  const { schedules, invocations, seed, agents } = readOptions();
  const totals = { invocations: 0, faults: 0, violations: 0 };
  for (let n = 0; n < schedules; n += 1) {
    const begun = performance.now();
    const history = await drive(makeSchedule(seed + n, invocations, agents));
    const violations = check(history);
    report(history, violations, performance.now() - begun);
    totals.invocations += acknowledged(history);
    totals.faults += history.faults;
    totals.violations += violations.length;
    if (violations.length > 0)
      console.log(
        `again: npm run chaos -- --seed ${seed + n} --schedules 1 --invocations ${invocations} --agents ${agents}`,
      );
  }
  const { faults, violations } = totals;
  console.log(
    `schedules ${schedules}, invocations ${totals.invocations}, faults ${faults}, violations ${violations}`,
  );
  if (violations > 0) process.exitCode = 1;
}

function report(history: History, violations: Violation[], ms: number): void {
  const { seed, dialect, ambiguousSubmit, webhooks, env } = history.schedule;
  const setting = [
    dialect,
    ambiguousSubmit,
    ...(webhooks ? ['webhooks'] : []),
    ...Object.keys(env).filter((name) => /LIMITS|MEMORY/.test(name)),
  ].join(', ');
  const recovered = `all over ${seconds(history.recoveryMs)} s after the last fault, ${history.takeovers} takeovers`;
  for (const { invocation, what } of violations.slice(0, SHOWN))
    console.log(`violation: seed ${seed}, invocation ${invocation}: ${what}`);
  if (violations.length > SHOWN)
    console.log(`and ${violations.length - SHOWN} more`);
  const ends = new Map<string, number>();
  for (const { record, deleted } of history.observedRuns) {
    const end = record
      ? endOf(record)
      : deleted
        ? 'deleted'
        : 'never acknowledged';
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  const struck = history.strikes.map(nameOf).join(' ') || 'no faults';
  const ended = [...ends].map(([end, count]) => `${end} ${count}`).join(', ');
  console.error(
    `seed ${seed}, ${setting}, ${seconds(ms)} s, ${recovered}: ${struck}; ${ended}`,
  );
}

/** With its time of day, which is comparable to that of the records. */
function nameOf({ fault, fromMs, toMs }: Strike): string {
  const link = 'link' in fault ? `:${fault.link.of}-${fault.link.to}` : '';
  return `${fault.kind}${link}@${new Date(fromMs).toISOString().slice(14, 21)}+${seconds(toMs - fromMs)}`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function acknowledged({ observedRuns: stories }: History): number {
  return stories.filter(({ id }) => id !== undefined).length;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string', default: '10' },
      invocations: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
      agents: { type: 'string', default: String(AGENT_SHARE) },
    },
  });
  return {
    schedules: whole(values.schedules, 1),
    invocations: whole(values.invocations, 1),
    seed: whole(values.seed, 0),
    agents: share(values.agents),
  };
}

function whole(text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`"${text}" is no such number. ${USAGE}`);
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 1) return number;
  throw new Error(`"${text}" is no share. ${USAGE}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
