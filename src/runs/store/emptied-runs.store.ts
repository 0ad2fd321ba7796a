import { Injectable } from '@nestjs/common';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { ScriptRunner } from './script-runner';

/** Operations on the records of ended runs, see `runScript`. */
const OPERATIONS = `
function op.empty()
  if FINAL[get('status')] then redis.call('DEL', log, text, journal) end
  return { 'ok' }
end
`;

/** Makes room with what ended runs hold, before they are removed. */
@Injectable()
export class EmptiedRunsStore {
  private readonly script: ScriptRunner;

  constructor({ commands }: RedisConnections) {
    this.script = new ScriptRunner(commands, OPERATIONS, 'emptied');
  }

  /** Removes all of an ended run but its record. */
  async empty(id: string): Promise<void> {
    await this.script.run('empty', id);
  }
}
