/** Of maxmemory, where no ceiling is configured: what was accepted needs the rest to end. */
const SHARE = 0.9;

/** What is wrong with a server that still takes writes. */
export interface RedisProblem {
  /** The same at each look while it lasts. */
  readonly text: string;
  /** It loses what it has accepted while it runs, or so little memory is left that submissions are refused. */
  readonly effect?: 'loses' | 'refuses';
}

/**
 * The problems that replies to `INFO` show, each once.
 * @param maxBytes the configured ceiling, see `isNearlyFull`.
 */
export function problemsOf(
  infos: readonly string[] = [],
  maxBytes?: number,
): RedisProblem[] {
  const problems = infos.flatMap((info) => problemsOfServer(info, maxBytes));
  return problems.filter(
    ({ text }, at) => problems.findIndex((it) => it.text === text) === at,
  );
}

/** Whether a server with this reply to `INFO` uses more than `maxBytes`, by default most of its `maxmemory`. */
export function isNearlyFull(info: string, maxBytes?: number): boolean {
  const ceiling = maxBytes ?? Number(fieldOf(info, 'maxmemory')) * SHARE;
  return ceiling > 0 && Number(fieldOf(info, 'used_memory')) > ceiling;
}

function problemsOfServer(info: string, maxBytes?: number): RedisProblem[] {
  const field = (name: string): string => fieldOf(info, name);
  const policy = field('maxmemory_policy');
  const problems: [boolean, RedisProblem][] = [
    [
      field('aof_enabled') === '0',
      {
        text: 'The append-only file is off, so a crash of Redis loses what was accepted (set "appendonly yes")',
      },
    ],
    [
      Number(field('maxmemory')) > 0 && policy !== 'noeviction',
      {
        text: `When memory runs out, Redis drops records and jobs: maxmemory-policy is ${policy} (set "maxmemory-policy noeviction")`,
        effect: 'loses',
      },
    ],
    [
      isNearlyFull(info, maxBytes),
      {
        text: 'Its memory is nearly full, so submissions are refused (raise maxmemory, or RELAY_REDIS_MAX_MEMORY_MB)',
        effect: 'refuses',
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

/** Its value, empty if the reply has none. */
function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
}
