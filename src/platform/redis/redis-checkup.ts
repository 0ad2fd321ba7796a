import { Injectable } from '@nestjs/common';
import type { Checkup, Finding } from './checkup.types';
import { RedisConnections } from './redis-connections';

/** Above this share of maxmemory a server will soon refuse submissions. */
const NEARLY_FULL = 0.9;

/** Whether Redis stores data durably. Its configuration belongs to the operator, so nothing here is fixed. */
@Injectable()
export class RedisCheckup implements Checkup {
  readonly title = 'Redis';

  constructor(private readonly connections: RedisConnections) {}

  async *look(): AsyncGenerator<Finding> {
    await this.connections.commands.ping();
    for (const master of this.connections.masters)
      for (const problem of problemsOf(await master.info())) yield { problem };
  }
}

/** The problems that the reply to `INFO` shows. */
export function problemsOf(info: string): string[] {
  const field = (name: string): string =>
    new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const [max, used] = [field('maxmemory'), field('used_memory')].map(Number);
  const policy = field('maxmemory_policy');
  const problems: [boolean, string][] = [
    [
      field('aof_enabled') === '0',
      'The append-only file is off, so a crash of Redis loses what was accepted (set "appendonly yes")',
    ],
    [
      max > 0 && policy !== 'noeviction',
      `When memory runs out, Redis drops records and jobs: maxmemory-policy is ${policy} (set "maxmemory-policy noeviction")`,
    ],
    [
      max > 0 && used > max * NEARLY_FULL,
      `${Math.floor((used / max) * 100)} % of maxmemory is used; at 100 % nothing more is accepted`,
    ],
    [
      field('aof_last_write_status') === 'err',
      'The last write to the append-only file failed; is its disk full?',
    ],
  ];
  return problems.filter(([wrong]) => wrong).map(([, problem]) => problem);
}
