import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from '../../config/addresses/redis-url';
import { within } from '../pause';
import { RedisClock } from './redis-clock';
import {
  faultOf,
  ifPermitted,
  NOT_PERMITTED,
  type RedisFault,
  UNREACHABLE,
} from './state/redis-faults';
import { problemsOf } from './state/redis-problems';
import { RedisState } from './state/redis-state';

export type RedisClient = Redis | Cluster;

/** What a process does during an outage of Redis: an API responds 503 at once, a worker waits. */
export type OutageMode = 'fail-fast' | 'wait';

const OUTAGE_OPTIONS: Record<OutageMode, RedisOptions> = {
  'fail-fast': {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  },
  // BullMQ workers require null: a command waits until Redis is available again.
  wait: { maxRetriesPerRequest: null },
};

/** Time limit of one connection attempt; a start waits this long for the first one. */
const CONNECT_MS = 5_000;
/** A connection without a response for this long is dead, whatever TCP reports. BullMQ blocks for 10 s at most. */
const UNRESPONSIVE_MS = 15_000;

/** Redis counts as unreachable if a look takes longer. */
const LOOK_MS = 1_500;
/** Between tries to find the primary at the address of a replica. */
const RETRY_ELSEWHERE_MS = 1_000;
/** Until a user who may not subscribe has perhaps been permitted it. */
const RESUBSCRIBE_MS = 5_000;
/** What ioredis does with a refused command once its connection is renewed; a refusal proves that it had no effect. */
const REFUSED = { 'fail-fast': 1, wait: 2 } as const;

/** Keys per SCAN step: a few hundred microseconds of the server. */
const SCAN_COUNT = 1_000;

/** Opens all connections to Redis. */
@Injectable()
export class RedisConnections implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Redis');
  private readonly opened: RedisClient[] = [];
  private readonly state: RedisState;
  private started?: Promise<void>;

  /** For every command that does not block. Shared by the process, with the queues of BullMQ. */
  readonly commands: RedisClient;
  /** For `SUBSCRIBE`; it resubscribes after a reconnect. */
  readonly subscriber: RedisClient;
  /** The clock for timestamps of stored data. */
  readonly clock: RedisClock;

  constructor(
    private readonly target: RedisTarget,
    private readonly outageMode: OutageMode,
  ) {
    this.commands = this.open(OUTAGE_OPTIONS[outageMode]);
    this.state = new RedisState(this.commands);
    this.subscriber = this.open({ maxRetriesPerRequest: null });
    persistInSubscribing(this.subscriber);
    this.clock = new RedisClock(this.commands);
    this.commands.once('ready', () =>
      this.commands.on('ready', () => this.renewSubscriber()),
    );
  }

  /** Whether reads are answered, by the server that takes the writes. */
  get ready(): boolean {
    const { fault } = this.state;
    return fault === undefined || fault.reads === true;
  }

  /** Undefined: Redis carries out everything. */
  async look(): Promise<RedisFault | undefined> {
    if (this.commands.status !== 'ready') return this.state.fault;
    const looked = this.state.look().then(() => true);
    const inTime = await within(LOOK_MS, looked);
    return this.state.fault ?? (inTime ? undefined : UNREACHABLE);
  }

  /**
   * Waits for the first connection, so that an API with a healthy Redis never refuses its first requests. An API
   * starts without one, a worker waits for it.
   */
  onModuleInit(): Promise<void> {
    return (this.started ??= this.start());
  }

  private async start(): Promise<void> {
    await this.firstConnection();
    let fault = await this.look();
    while (this.outageMode === 'wait' && fault && !fault.reads) {
      await sleep(RETRY_ELSEWHERE_MS);
      fault = await this.look();
    }
    await this.clock.sync();
    await this.suitBullMq().catch((error: unknown) => this.log.debug(error));
  }

  private firstConnection(): Promise<void> {
    if (this.commands.status === 'ready') return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CONNECT_MS);
      const settle = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.commands.once('ready', settle).once('error', settle);
    });
  }

  /** Its workers read INFO for the version of the server, and never begin if that is refused. */
  private async suitBullMq(): Promise<void> {
    const infos = this.ready ? await this.infos() : [];
    if (infos === undefined) {
      const { options } = this.commands;
      const shared = 'redisOptions' in options ? options.redisOptions : options;
      Object.assign(shared!, { skipVersionCheck: true });
    }
    for (const problem of problemsOf(infos))
      if (problem.effect === 'loses') this.log.warn(problem.text);
  }

  /** The reply of every master to INFO; undefined if the user may not run it. */
  infos(): Promise<string[] | undefined> {
    return ifPermitted(Promise.all(this.masters.map((it) => it.info())));
  }

  /** The servers that hold the data: every master of a Cluster, or the single server. */
  get masters(): Redis[] {
    const { commands } = this;
    return commands instanceof Cluster ? commands.nodes('master') : [commands];
  }

  /** All matching keys, page by page. A key may be returned twice. */
  async *scan(match: string): AsyncGenerator<string[]> {
    for (const master of this.masters) {
      let cursor = '0';
      do {
        const page = ['MATCH', match, 'COUNT', SCAN_COUNT] as const;
        const [next, keys] = await master.scan(cursor, ...page);
        yield keys;
        cursor = next;
      } while (cursor !== '0');
    }
  }

  onApplicationShutdown(): void {
    this.clock.close();
    this.state.close();
    for (const client of this.opened) client.disconnect();
  }

  private open(options: RedisOptions): RedisClient {
    const client = connect(this.target, {
      ...options,
      connectTimeout: CONNECT_MS,
      socketTimeout: UNRESPONSIVE_MS,
      retryStrategy: (attempt) =>
        this.state.fault?.elsewhere
          ? RETRY_ELSEWHERE_MS
          : Math.min(50 * 2 ** attempt, 1_000),
      // Of BullMQ's copies of a connection too.
      reconnectOnError: (error) =>
        this.state.saw(error)?.elsewhere ? REFUSED[this.outageMode] : false,
    });
    client.on('error', (error: Error) => this.state.lost(error));
    this.opened.push(client);
    return client;
  }

  /** It writes nothing, so it would stay at a server that has become a replica. */
  private renewSubscriber(): void {
    if (this.subscriber.status === 'ready') this.subscriber.disconnect(true);
  }
}

/** After a reconnect ioredis subscribes again by itself, and a refusal of that would reach nobody. */
function persistInSubscribing(client: RedisClient): void {
  const subscribe = client.subscribe.bind(client) as (
    ...channels: string[]
  ) => Promise<unknown>;
  const persist = (...channels: string[]): Promise<unknown> => {
    const subscribed = subscribe(...channels);
    subscribed.catch((error: unknown) => {
      if (faultOf(error) === NOT_PERMITTED)
        setTimeout(() => void persist(...channels), RESUBSCRIBE_MS).unref();
    });
    return subscribed;
  };
  Object.assign(client, { subscribe: persist });
}

function connect(target: RedisTarget, options: RedisOptions): RedisClient {
  if (target.kind === 'socket') {
    return new Redis({ ...options, path: target.path, db: target.db });
  }
  const access: RedisOptions = {
    ...options,
    username: target.username,
    password: target.password,
    ...(target.tls && { tls: {} }),
  };
  switch (target.kind) {
    case 'single':
      return new Redis({
        ...access,
        host: target.host,
        port: target.port,
        db: target.db,
      });
    case 'sentinel':
      return new Redis({
        ...access,
        sentinels: target.sentinels,
        name: target.master,
        db: target.db,
        ...(target.tls && { enableTLSForSentinelMode: true }),
      });
    case 'cluster':
      return new Cluster(target.nodes, {
        redisOptions: access,
        enableOfflineQueue: options.enableOfflineQueue,
        clusterRetryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
      });
  }
}
