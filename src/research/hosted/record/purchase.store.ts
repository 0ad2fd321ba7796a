import { Injectable } from '@nestjs/common';
import { RedisConnections } from '../../../platform/redis/redis-connections';
import { ScriptRunner } from '../../../runs/store/script-runner';
import { RESEARCH_JOB } from '../../research-queue';

/** Operations on the records of research, see `runScript`. */
const OPERATIONS = `
-- fence, upstream id: the first one stays
function op.adopt()
  if fenced(ARGV[3]) then return { 'fenced' } end
  redis.call('HSETNX', record, 'upstream_id', ARGV[4])
  redis.call('HSET', record, 'crashes', 0)
  return { 'ok', get('upstream_id') }
end

-- attempt, upstream id of what that attempt has bought, as another process than its worker has learnt
function op.adopt_lost()
  local status = get('status')
  if status == '' then return { 'missing' } end
  if FINAL[status] then return { 'final' } end
  local holds = held() and '1' or '0'
  local known = get('upstream_id')
  if known == ARGV[4] then return { 'known', holds } end
  if known ~= '' or get('attempt') ~= ARGV[3] then return { 'other', holds } end
  redis.call('HSET', record, 'upstream_id', ARGV[4])
  return { 'adopted', holds }
end
`;

/** Whether the upstream's id of a run was written. `known`: it was there. `other`: there is another id, or a later attempt. */
export interface LostAdoption {
  outcome: 'adopted' | 'known' | 'other' | 'final' | 'missing';
  /** A worker that is alive holds the run. */
  held: boolean;
}

/** Records which run at the upstream was purchased. */
@Injectable()
export class PurchaseStore {
  private readonly script: ScriptRunner;

  constructor({ commands }: RedisConnections) {
    this.script = new ScriptRunner(commands, OPERATIONS, RESEARCH_JOB);
  }

  /** Writes the upstream's id of a run unless it has one; returns the one that it has; undefined if fenced. */
  async adopt(
    id: string,
    fence: string,
    upstreamId: string,
  ): Promise<string | undefined> {
    const [outcome, adopted] = await this.script.run(
      'adopt',
      id,
      fence,
      upstreamId,
    );
    return outcome === 'ok' ? String(adopted) : undefined;
  }

  /** Writes what the recorded attempt has bought, on behalf of the worker that holds the run or will. */
  async adoptLost(
    id: string,
    attempt: string,
    bought: string,
  ): Promise<LostAdoption> {
    const [outcome, held] = await this.script.run(
      'adopt_lost',
      id,
      attempt,
      bought,
    );
    return { outcome, held: held === '1' } as LostAdoption;
  }
}
