import { Logger } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import {
  faultOf,
  NOT_PERMITTED,
  type RedisFault,
  UNREACHABLE,
} from './redis-faults';

/** A connection that writes nothing else learns by this when its server has become a replica. */
const LOOK_MS = 5_000;
/** Nothing but what is asked for when permitted. */
const OPTIONAL = new Set(['info', 'client', 'bgrewriteaof']);
/** It is never set, so that a look changes nothing. */
const PROBE = 'sonde:probe';
/** What every write of the service needs: a script, a write, a message and the clock. */
const LOOK = `
redis.call('SET', KEYS[1], '', 'XX')
redis.call('PUBLISH', KEYS[1], '')
return redis.call('TIME')`;

interface Scripts {
  sondeLook(key: string): Promise<unknown>;
}

/**
 * Whether Redis carries out what this process asks of it. To answer PING does not suffice, so it is known from every refusal,
 * and from a write that is tried now and then.
 */
export class RedisState {
  private readonly log = new Logger('Redis');
  private readonly timer: NodeJS.Timeout;
  private readonly denied = new Set<string>();
  private current?: RedisFault;
  private looking?: Promise<void>;
  private closed = false;

  constructor(private readonly redis: (Redis | Cluster) & Partial<Scripts>) {
    redis.defineCommand('sondeLook', { numberOfKeys: 1, lua: LOOK });
    redis.on('ready', () => void this.look());
    this.timer = setInterval(() => {
      if (redis.status === 'ready') void this.look();
    }, LOOK_MS).unref();
  }

  get fault(): RedisFault | undefined {
    if (this.current) return this.current;
    return this.redis.status === 'ready' ? undefined : UNREACHABLE;
  }

  /** Takes note that a connection, of several, is lost or could not be made. */
  lost(error: Error): void {
    if (this.redis.status === 'ready') void this.look();
    else this.set(faultOf(error) ?? UNREACHABLE);
  }

  /** Takes note of an error reply to a command, of any connection. Returns what it means. */
  saw(error: Error & { command?: { name: string } }): RedisFault | undefined {
    const fault = faultOf(error);
    // One command alone is missing if the user may write.
    if (fault === NOT_PERMITTED) this.deny(error.command?.name ?? 'command');
    else if (fault) this.set(fault);
    return fault;
  }

  /** Resolves with an answer. The commands of a worker wait for it. */
  look(): Promise<void> {
    return (this.looking ??= this.tryWrite().finally(
      () => (this.looking = undefined),
    ));
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
  }

  private async tryWrite(): Promise<void> {
    try {
      await this.redis.sondeLook!(PROBE);
      this.set(undefined);
    } catch (error) {
      const fault = faultOf(error) ?? UNREACHABLE;
      // A connection that is being renewed does not hide what Redis has said.
      if (fault !== UNREACHABLE || !this.current) this.set(fault);
    }
  }

  /** One line for each state, not for each attempt; addresses are never logged. */
  private set(fault: RedisFault | undefined): void {
    if (this.closed || fault === this.current) return;
    this.current = fault;
    if (fault) this.log.warn(fault.meaning);
    else this.log.log('Redis is available again');
  }

  private deny(command: string): void {
    if (OPTIONAL.has(command) || this.denied.has(command)) return;
    this.denied.add(command);
    this.log.warn(
      `Redis does not permit the user of REDIS_URL the command ${command.toUpperCase()}, or its keys (ACL)`,
    );
  }
}
