import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { report } from '../../platform/metrics/facts';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { SubscriberPresence, FOLLOW_MS } from './subscriber-presence';
import { EventLogTail } from './event-log-tail';
import type { Status } from '../record/run';
import { endsLog, type LogEvent } from '../record/run-event';
import { KEYS } from '../record/run-keys';
import { RunReader } from '../store/run-reader';

const PAGE = 500;
/** Between tries to read a log while Redis is unavailable. */
const AWAY_MS = 500;
/** Pub/sub messages can be lost, so the logs are also polled at this interval. */
const REFRESH_MS = 5_000;

/**
 * Follows event logs. The log is the truth, pub/sub only a notification. All followers of a run in this process share one
 * subscription and one tail.
 */
@Injectable()
export class EventLogSubscriber implements OnModuleInit, OnApplicationShutdown {
  private readonly subscriber: RedisClient;
  private readonly tails = new Map<string, EventLogTail>();
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    connections: RedisConnections,
    private readonly reader: RunReader,
    private readonly attention: SubscriberPresence,
  ) {
    this.subscriber = connections.subscriber;
  }

  onModuleInit(): void {
    this.subscriber.on('message', (channel: string, message: string) => {
      this.tails.get(channel)?.push(parse(message));
    });
    this.subscriber.on('ready', () => this.refreshAll());
    this.timers.push(
      setInterval(() => this.refreshAll(), REFRESH_MS).unref(),
      setInterval(() => this.keepAll(), FOLLOW_MS / 3).unref(),
    );
  }

  onApplicationShutdown(): void {
    this.timers.forEach(clearInterval);
  }

  /** Every event after `seq`, in order and once, up to the last one. Ends early when `signal` aborts. */
  async *follow(
    id: string,
    seq: number,
    signal: AbortSignal,
  ): AsyncGenerator<LogEvent> {
    const tail = this.open(id);
    try {
      let cursor = seq;
      while (!signal.aborted) {
        const { ended } = tail;
        const since = tail.notifications.any;
        const events = await unlessAway(tail.after(cursor), undefined);
        if (!events) {
          await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined);
          continue;
        }
        for (const event of events) {
          yield event;
          if (endsLog(event)) return;
          cursor = event.seq;
        }
        if (events.length > 0) continue;
        if (ended) return;
        await tail.notified('any', since, signal);
      }
    } finally {
      this.close(id, tail);
    }
  }

  /** Resolves when the invocation has ended, is gone or requires action, or when `signal` aborts. */
  async ended(id: string, signal: AbortSignal): Promise<void> {
    const tail = this.open(id);
    try {
      while (!signal.aborted && !tail.ended) {
        const since = tail.notifications.end;
        const unfinished = await unlessAway(this.reader.isUnfinished(id), true);
        if (!unfinished) return;
        await tail.notified('end', since, signal);
      }
    } finally {
      this.close(id, tail);
    }
  }

  private open(id: string): EventLogTail {
    const channel = KEYS.channel(id);
    let tail = this.tails.get(channel);
    if (!tail) {
      tail = new EventLogTail(
        id,
        (seq) => this.reader.readLog(id, seq, PAGE),
        () => this.reader.readLast(id),
      );
      this.tails.set(channel, tail);
      // An event between the first look and the moment the subscription holds is found by looking again. If this
      // SUBSCRIBE fails, the connection is away, and its return refreshes everything.
      const opened = tail;
      this.subscriber.subscribe(channel).then(
        () => this.refresh(opened),
        () => undefined,
      );
      this.hint(this.attention.call(id));
    }
    tail.followers += 1;
    report('followers', { change: 1 });
    return tail;
  }

  private close(id: string, tail: EventLogTail): void {
    tail.followers -= 1;
    report('followers', { change: -1 });
    if (tail.followers > 0) return;
    this.tails.delete(KEYS.channel(id));
    this.subscriber.unsubscribe(KEYS.channel(id)).catch(() => undefined);
  }

  private refreshAll(): void {
    for (const tail of this.tails.values()) this.refresh(tail);
  }

  private keepAll(): void {
    for (const { id, ended } of this.tails.values())
      if (!ended) this.hint(this.attention.keep(id));
  }

  /** If it fails, events still arrive, only later. */
  private hint(given: Promise<void>): void {
    unlessAway(given, undefined).catch(() => undefined);
  }

  private refresh(tail: EventLogTail): void {
    // An unavailable Redis is no fault here: the next refresh comes when it is back.
    unlessAway(tail.refresh(), undefined).catch(() => undefined);
  }
}

/** Followers survive an outage of Redis: they get nothing new until it is back. */
async function unlessAway<T>(looked: Promise<T>, meanwhile: T): Promise<T> {
  try {
    return await looked;
  } catch (error) {
    if (isRedisUnavailable(error)) return meanwhile;
    throw error;
  }
}

function parse(message: string): LogEvent {
  const [, seq, status, type, data] = /^(\d+) (\S+) (\S+) (.*)$/s.exec(
    message,
  )!;
  return {
    seq: Number(seq),
    status: status as Status,
    type: type as LogEvent['type'],
    data,
  };
}
