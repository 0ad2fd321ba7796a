import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/client';
import { Stand } from '../support/stand';
import { APIS, type FaultPlan, type Schedule, WORKERS } from './schedule';
import { Slot } from './slot';

export const API_KEY = 'key-of-the-chaos-caller';
export const UPSTREAM_KEY = 'key-of-the-chaos-upstream';

/** The processes of one schedule, with Redis and the upstream, and what can befall them. */
export class Fleet {
  private readonly apis: Slot[];
  private readonly workers: Slot[];
  private redisTurn: Promise<void> = Promise.resolve();
  readonly exitCodes: (number | null)[] = [];

  private constructor(readonly stand: Stand) {
    const slots = (entry: 'main' | 'worker', count: number): Slot[] =>
      Array.from({ length: count }, () => new Slot(entry, stand.env));
    this.apis = slots('main', APIS);
    this.workers = slots('worker', WORKERS);
  }

  static async start(schedule: Schedule): Promise<Fleet> {
    const stand = await Stand.start({
      apis: 0,
      workers: 0,
      researchMs: schedule.researchMs,
      env: {
        LITELLM_API_KEY: UPSTREAM_KEY,
        RELAY_API_KEYS: `chaos:${createHash('sha256').update(API_KEY).digest('hex')}`,
        RESEARCH_LEASE_SECONDS: String(schedule.leaseSeconds),
      },
    });
    await stand.configure({ dialect: schedule.dialect });
    const fleet = new Fleet(stand);
    await Promise.all(fleet.slots.map((slot) => slot.start()));
    return fleet;
  }

  private get slots(): Slot[] {
    return [...this.apis, ...this.workers];
  }

  /** As an anonymous caller of whatever process has the place now. */
  client(api: number): Client {
    return new Client(this.apis[api].url);
  }

  get mishaps(): string[] {
    return this.slots.flatMap(({ mishaps }) => mishaps);
  }

  /** Everything that any process has printed. */
  get output(): string {
    return this.slots
      .flatMap(({ services }) => services)
      .map(({ output }) => output)
      .join('\n');
  }

  async strike(fault: FaultPlan): Promise<void> {
    switch (fault.kind) {
      case 'kill_worker':
        return this.killed(this.workers[fault.slot], fault.downMs);
      case 'kill_api':
        return this.killed(this.apis[fault.slot], fault.downMs);
      case 'pause_worker': {
        const worker = this.workers[fault.slot];
        return worker.inTurn(async () => {
          worker.signal('SIGSTOP');
          await sleep(fault.forMs);
          worker.signal('SIGCONT');
        });
      }
      case 'rolling_restart':
        for (const slot of this.slots)
          await slot.inTurn(
            async () => void this.exitCodes.push(await slot.replace()),
          );
        return;
      case 'upstream': {
        const { status, method, count } = fault;
        const match = { method, path: '/responses' };
        return this.stand.fault({ kind: 'status', status, count, match });
      }
      default:
        this.redisTurn = this.redisTurn.then(() => this.strikeRedis(fault));
        return this.redisTurn;
    }
  }

  /** The upstream does its honest work again; what hung on a fault goes on. */
  calm(): Promise<void> {
    return this.stand.clearFaults();
  }

  async stop(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.kill()));
    await this.stand.stop();
  }

  private killed(slot: Slot, downMs: number): Promise<void> {
    return slot.inTurn(async () => {
      await slot.kill();
      await sleep(downMs);
      await slot.start();
    });
  }

  private async strikeRedis(fault: FaultPlan): Promise<void> {
    const { redis } = this.stand;
    switch (fault.kind) {
      case 'kill_redis':
        await redis.down();
        await sleep(fault.downMs);
        return redis.up();
      case 'fill_redis':
        await redis.call('CONFIG', 'SET', 'maxmemory', '1');
        await sleep(fault.forMs);
        await redis.call('CONFIG', 'SET', 'maxmemory', '0');
        return;
      case 'stall_redis':
        await redis.call('CLIENT', 'PAUSE', String(fault.forMs), 'ALL');
        return;
      case 'cut_redis':
        for (const type of ['normal', 'pubsub'])
          await redis.call('CLIENT', 'KILL', 'TYPE', type);
    }
  }
}
