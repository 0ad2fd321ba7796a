import { Injectable } from '@nestjs/common';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { ScriptRunner } from './script-runner';

/** Operations on the records of runs that others follow up, see `runScript`. The field has one id a word. */
const OPERATIONS = `
local MOST = 100

-- The id of one more, or of one less; the oldest of too many goes. A record that is gone is not created again.
local function change(id, isAdded)
  if get('status') == '' or get('deleted') == '1' then return { 'missing' } end
  local ids = {}
  for known in string.gmatch(get('follow_ups'), '%S+') do
    if known ~= id then ids[#ids + 1] = known end
  end
  if isAdded then ids[#ids + 1] = id end
  if #ids > MOST then table.remove(ids, 1) end
  redis.call('HSET', record, 'follow_ups', table.concat(ids, ' '))
  return { 'ok' }
end

function op.add_follow_up()
  return change(ARGV[3], true)
end

function op.remove_follow_up()
  return change(ARGV[3], false)
end
`;

/** The runs that follow up another, as that one names them. */
@Injectable()
export class FollowUpsStore {
  private readonly script: ScriptRunner;

  constructor({ commands }: RedisConnections) {
    this.script = new ScriptRunner(commands, OPERATIONS, 'follow-ups');
  }

  /** Safe to repeat. */
  async add(parent: string, id: string): Promise<void> {
    await this.script.run('add_follow_up', parent, id);
  }

  async remove(parent: string, id: string): Promise<void> {
    await this.script.run('remove_follow_up', parent, id);
  }
}
