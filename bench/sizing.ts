import { markdown } from './table';

/** By the text before its unit, as the table of docs/performance.md names it: the figure of Sonde. */
export type Measured = ReadonlyMap<string, number>;

/** Processes are planned for half of a core, so that one that is lost can be replaced by the others. */
const BUSY = 0.5;
/** An idle process of Node with everything loaded. */
const IDLE_MB = 200;
/** The default of RESEARCH_CONCURRENCY. */
const MOST_RUNS = 10_000;
const RUNS = [100, 1_000, 10_000, 50_000];
const RATES = [10, 100, 1_000];

/** The rows of a table that `npm run bench` has printed. */
export function measuredIn(table: string): Measured {
  const rows = table.split('\n').map((line) => line.split('|'));
  return new Map(
    rows
      .filter((cells) => cells.length > 3 && /\d/.test(cells[2]))
      .map((cells) => [cells[1].trim(), Number(cells[2].replaceAll(',', ''))]),
  );
}

/** What a given load needs, from what one process was measured to carry. */
export function sizing(measured: Measured): string {
  const of = (name: string): number => {
    const value = measured.get(name);
    if (value === undefined) throw new Error(`There is no row "${name}"`);
    return value;
  };
  return [hosted(of), api(of)].join('\n\n');
}

type Of = (name: string) => number;

function hosted(of: Of): string {
  const at = 10_000;
  const row = (what: string) => of(`10,000 runs active: ${what}`);
  const cpu = row('worker CPU, % of a core') / 100 / at;
  const redisCpu = row('Redis CPU, % of a core') / at;
  const each = row('worker RSS over idle, KB each');
  const stored = of('2,000 waiting runs: Redis memory, KB each');
  return markdown([
    [
      'hosted runs at once',
      'workers',
      'memory of each',
      'Redis memory',
      'Redis CPU',
    ],
    ...RUNS.map((runs) => {
      const workers = withSpare(
        Math.max((runs * cpu) / BUSY, runs / MOST_RUNS),
      );
      // All of them on one worker fewer, while one restarts.
      const mostEach = runs / (workers - 1);
      return [
        count(runs),
        String(workers),
        mb(IDLE_MB + (mostEach * each) / 1024),
        mb((runs * stored) / 1024),
        `${(runs * redisCpu).toFixed(1)} % of a core`,
      ];
    }),
  ]);
}

function api(of: Of): string {
  const chats = of('chat by responses: replies per CPU-second');
  const submissions = of(
    'submit: accepted per CPU-second, 64 at a time, to adds 64 at a time',
  );
  return markdown([
    [
      'requests per second',
      'API processes for chats',
      'API processes for submissions',
    ],
    ...RATES.map((rate) => [
      count(rate),
      String(withSpare(rate / chats / BUSY)),
      String(withSpare(rate / submissions / BUSY)),
    ]),
  ]);
}

function withSpare(processes: number): number {
  return Math.ceil(processes) + 1;
}

function mb(value: number): string {
  return `${count(Math.ceil(value / 10) * 10)} MB`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
