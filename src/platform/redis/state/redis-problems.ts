/** Above this share of maxmemory a server will soon refuse submissions. */
const NEARLY_FULL = 0.9;

/** What is wrong with a server that still takes writes. */
export interface RedisProblem {
  readonly text: string;
  /** It loses what it has accepted while it runs. */
  readonly loses?: true;
}

/** The problems that replies to `INFO` show, each once. */
export function problemsOf(infos: readonly string[] = []): RedisProblem[] {
  const problems = infos.flatMap(problemsOfServer);
  return problems.filter(
    ({ text }, at) => problems.findIndex((it) => it.text === text) === at,
  );
}

function problemsOfServer(info: string): RedisProblem[] {
  const field = (name: string): string =>
    new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const [max, used] = [field('maxmemory'), field('used_memory')].map(Number);
  const policy = field('maxmemory_policy');
  const problems: [boolean, RedisProblem][] = [
    [
      field('aof_enabled') === '0',
      {
        text: 'The append-only file is off, so a crash of Redis loses what was accepted (set "appendonly yes")',
      },
    ],
    [
      max > 0 && policy !== 'noeviction',
      {
        text: `When memory runs out, Redis drops records and jobs: maxmemory-policy is ${policy} (set "maxmemory-policy noeviction")`,
        loses: true,
      },
    ],
    [
      max > 0 && used > max * NEARLY_FULL,
      {
        text: `${Math.floor((used / max) * 100)} % of maxmemory is used; at 100 % nothing more is accepted`,
      },
    ],
    [
      field('aof_last_write_status') === 'err',
      {
        text: 'The last write to the append-only file failed; is its disk full?',
      },
    ],
    [
      field('rdb_last_bgsave_status') === 'err',
      { text: 'The last snapshot could not be saved; is the disk full?' },
    ],
  ];
  return problems.filter(([wrong]) => wrong).map(([, problem]) => problem);
}
