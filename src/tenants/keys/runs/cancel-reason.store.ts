import { Injectable } from '@nestjs/common';
import { RedisConnections } from '../../../platform/redis/redis-connections';
import { ScriptRunner } from '../../../runs/store/script-runner';

/** Operations on records, see `runScript`. */
const OPERATIONS = `
-- why a run that has not ended is to end
function op.note_reason()
  local status = get('status')
  if status == '' or FINAL[status] or get('deleted') == '1' then return { 'no' } end
  without_memory()
  redis.call('HSET', record, 'cancel_reason', ARGV[3])
  return { 'ok' }
end
`;

/** Why operators end runs, for those who have begun them. */
@Injectable()
export class CancelReasonStore {
  private readonly script: ScriptRunner;

  constructor({ commands }: RedisConnections) {
    this.script = new ScriptRunner(commands, OPERATIONS, 'operators');
  }

  async note(id: string, reason: string): Promise<void> {
    await this.script.run('note_reason', id, reason);
  }
}
