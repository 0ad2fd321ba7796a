import { Injectable } from '@nestjs/common';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { KEYS } from '../../runs/record/run-keys';
import { ScriptRunner } from '../../runs/store/script-runner';

/**
 * Operations on the records of ended runs, see `runScript`. The field `shares` has a line for each link: its id, the SHA-256
 * of its token, when it expires and when it was made, in ms. So a link never outlives its record.
 */
const OPERATIONS = `
local function write(lines)
  redis.call('HSET', record, 'shares', table.concat(lines, '\\n'))
end

-- Those that have not expired, but for one.
local function lines(without)
  local kept = {}
  for line in string.gmatch(get('shares'), '[^\\n]+') do
    local id, expires = string.match(line, '^(%S+) %S+ (%d+)')
    if id and id ~= without and tonumber(expires) > now then kept[#kept + 1] = line end
  end
  return kept
end

-- id, hash, for how many ms, the most
function op.share()
  local status = get('status')
  if status == '' or get('deleted') == '1' then return { 'missing' } end
  if not FINAL[status] then return { 'unfinished' } end
  local kept = lines('')
  if #kept >= tonumber(ARGV[6]) then return { 'full' } end
  local expires = string.format('%.0f', now + ARGV[5])
  kept[#kept + 1] = table.concat({ ARGV[3], ARGV[4], expires, string.format('%.0f', now) }, ' ')
  write(kept)
  return { 'ok', now, expires }
end

-- id, or '' for all
function op.unshare()
  if get('status') == '' or get('deleted') == '1' then return { 'missing' } end
  local before = #lines('')
  local kept = ARGV[3] == '' and {} or lines(ARGV[3])
  write(kept)
  return { 'ok', before - #kept }
end
`;

export interface Share {
  id: string;
  /** SHA-256 of its token, hex. */
  hash: string;
  expiresMs: number;
  createdMs: number;
}

/** The links by which a record is shared. */
@Injectable()
export class SharesStore {
  private readonly script: ScriptRunner;

  constructor(private readonly connections: RedisConnections) {
    this.script = new ScriptRunner(connections.commands, OPERATIONS, 'shares');
  }

  /** `full`: the run has `most` links already. */
  async add(
    run: string,
    { id, hash }: Pick<Share, 'id' | 'hash'>,
    lifetimeMs: number,
    most: number,
  ): Promise<Share | 'full' | 'missing' | 'unfinished'> {
    const [outcome, createdMs, expiresMs] = await this.script.run(
      'share',
      run,
      id,
      hash,
      lifetimeMs,
      most,
    );
    if (outcome !== 'ok') return outcome as 'full' | 'missing' | 'unfinished';
    return {
      id,
      hash,
      createdMs: Number(createdMs),
      expiresMs: Number(expiresMs),
    };
  }

  /** Those that have not expired, oldest first. */
  async of(run: string): Promise<Share[]> {
    const { commands, clock } = this.connections;
    const lines = (await commands.hget(KEYS.record(run), 'shares')) ?? '';
    return lines
      .split('\n')
      .map((line) => {
        const [id, hash = '', expires, created] = line.split(' ');
        return {
          id,
          hash,
          expiresMs: Number(expires),
          createdMs: Number(created),
        };
      })
      .filter(({ expiresMs }) => expiresMs > clock.now());
  }

  /** @param id of one; undefined: all. @returns how many there were. */
  async remove(run: string, id = ''): Promise<number> {
    const [, removed] = await this.script.run('unshare', run, id);
    return Number(removed ?? 0);
  }
}
