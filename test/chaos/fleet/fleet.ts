import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS, MAX_LIMIT } from '../../../src/config/settings/key-limits';
import { Client } from '../../support/client';
import { priceFile } from '../../support/price-table';
import { RetryingProxy } from '../../support/upstream/retrying-proxy';
import { agentEnv } from '../../support/agent/agent-stand';
import { Stand } from '../../support/processes/stand';
import { APIS, type FaultPlan, linksOf, WORKERS } from '../faults';
import { CALLER_ENV, type ChaosCaller, makeCallers, PRICE } from './callers';
import { Links } from './links';
import { type Schedule, WEBHOOK_SECRET } from '../schedule';
import { type Exit, Slot } from './slot';

export const UPSTREAM_KEY = 'key-of-the-chaos-upstream';

/** The schedules are about capacity and crashes. */
const UNLIMITED = LIMITS.map((name) => `${name}:${MAX_LIMIT - 1}`).join(',');

/** An idle worker may never reach the step at which it is to die. */
const STEP_PATIENCE_MS = 3_000;

/** The processes of one schedule, with Redis and the upstream, and the faults that can strike them. */
export class Fleet {
  private readonly apis: Slot[];
  private readonly workers: Slot[];
  private redisTurn: Promise<void> = Promise.resolve();
  readonly exits: Exit[] = [];
  callers: ChaosCaller[] = [];

  private constructor(
    readonly stand: Stand,
    private readonly links: Links,
    private readonly proxy: RetryingProxy | undefined,
    private readonly prices: ReturnType<typeof priceFile>,
    webhooks: boolean,
  ) {
    const slots = (entry: 'main' | 'worker', count: number): Slot[] =>
      Array.from({ length: count }, (_, slot) => {
        const of = entry === 'main' ? 'api' : 'worker';
        const env = { ...stand.env, ...links.env(of, slot) };
        const takesWebhooks = webhooks && of === 'api' && slot === 0;
        return new Slot(entry, env, (url) =>
          takesWebhooks ? this.aimWebhooks(url) : Promise.resolve(),
        );
      });
    this.apis = slots('main', APIS);
    this.workers = slots('worker', WORKERS);
  }

  static async start(schedule: Schedule): Promise<Fleet> {
    const prices = priceFile({ '*': PRICE });
    const stand = await Stand.start({
      apis: 0,
      workers: 0,
      researchMs: schedule.researchMs,
      env: {
        LITELLM_API_KEY: UPSTREAM_KEY,
        RELAY_KEY_LIMITS: UNLIMITED,
        RELAY_PRICES_CONFIG: prices.path,
        ...CALLER_ENV,
        NODE_OPTIONS: `--require=${join(__dirname, 'block.preload.js')}`,
        ...schedule.env,
      },
    });
    Object.assign(stand.env, agentEnv(stand));
    let proxy: RetryingProxy | undefined;
    if (schedule.dialect === 'proxy') {
      proxy = await RetryingProxy.start(stand.sandbox.url);
      stand.env.LITELLM_BASE_URL = proxy.url;
    } else await stand.configure({ dialect: schedule.dialect });
    const links = await Links.open(linksOf(schedule.faults), stand);
    const fleet = new Fleet(
      ...([stand, links, proxy, prices, schedule.webhooks] as const),
    );
    const callers = makeCallers(stand.redis.url);
    await Promise.all(fleet.slots.map((slot) => slot.start()));
    fleet.callers = await callers;
    return fleet;
  }

  private get slots(): Slot[] {
    return [...this.apis, ...this.workers];
  }

  /** An anonymous caller of the process that currently has the slot. */
  client(api: number): Client {
    return new Client(this.apis[api].url);
  }

  /** The address that the processes use as the upstream. */
  get upstreamUrl(): string {
    return this.stand.env.LITELLM_BASE_URL;
  }

  get incidents(): string[] {
    return this.slots.flatMap(({ incidents }) => incidents);
  }

  /** The output of all processes. */
  get output(): string {
    return this.slots
      .flatMap(({ services }) => services)
      .map(({ output }) => output)
      .join('\n');
  }

  /** Resolves once the fault has ended and everything has recovered. */
  async strike(fault: FaultPlan): Promise<void> {
    switch (fault.kind) {
      case 'kill_worker':
        return this.killed(this.workers[fault.slot], fault.downMs);
      case 'kill_api':
        return this.killed(this.apis[fault.slot], fault.downMs);
      case 'kill_worker_in_step':
        return this.killedInStep(fault);
      case 'pause_worker': {
        const worker = this.workers[fault.slot];
        return worker.inTurn(async () => {
          worker.signal('SIGSTOP');
          await sleep(fault.forMs);
          worker.signal('SIGCONT');
        });
      }
      case 'block_worker': {
        const worker = this.workers[fault.slot];
        return worker.inTurn(async () => {
          worker.signal('SIGUSR2');
          await sleep(Number(this.stand.env.CHAOS_BLOCK_MS));
        });
      }
      case 'rolling_restart':
        for (const slot of this.slots)
          await slot.inTurn(
            async () => void this.exits.push(await slot.replace()),
          );
        return;
      case 'upstream': {
        const { status, method, count, retryAfterMs } = fault;
        return this.stand.fault({
          kind: 'status',
          status,
          count,
          retry_after_ms: retryAfterMs,
          ...(status === 503 && { code: 'slow_down' }),
          match: { method, path: '/responses' },
        });
      }
      case 'reset_link':
      case 'refuse_link':
      case 'stall_link':
      case 'drip_link':
        return this.links.strike(fault);
      default:
        this.redisTurn = this.redisTurn.then(() => this.strikeRedis(fault));
        return this.redisTurn;
    }
  }

  /** Ends the faults of the upstream; requests that a fault held up continue. */
  calm(): Promise<void> {
    return this.stand.clearFaults();
  }

  async stop(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.kill()));
    await this.links.close();
    await this.proxy?.close();
    await this.stand.stop();
    this.prices.remove();
  }

  private aimWebhooks(url: string): Promise<void> {
    return this.stand.configure({
      webhook: { url: `${url}/webhooks/openai`, secret: WEBHOOK_SECRET },
    });
  }

  private killed(slot: Slot, downMs: number): Promise<void> {
    return slot.inTurn(async () => {
      await slot.kill();
      await sleep(downMs);
      await slot.start();
    });
  }

  private killedInStep(
    fault: FaultPlan & { kind: 'kill_worker_in_step' },
  ): Promise<void> {
    const { link, step, arrives, downMs } = fault;
    const worker = this.workers[link.slot];
    return worker.inTurn(async () => {
      const dead = new AbortController();
      const cancelStep = this.links.get(link).atStep(step, arrives, () => {
        worker.strikeDead();
        dead.abort();
      });
      await sleep(STEP_PATIENCE_MS, null, { signal: dead.signal }).catch(
        () => undefined,
      );
      cancelStep();
      await worker.kill();
      await sleep(downMs);
      await worker.start();
    });
  }

  private async strikeRedis(fault: FaultPlan): Promise<void> {
    const { redis } = this.stand;
    switch (fault.kind) {
      case 'kill_redis':
      case 'restart_redis':
        await redis.down(fault.kind === 'kill_redis' ? 'SIGKILL' : 'SIGTERM');
        await sleep(fault.downMs);
        return redis.up();
      case 'fill_redis':
        await redis.call('CONFIG', 'SET', 'maxmemory', '1');
        await sleep(fault.forMs);
        await redis.call('CONFIG', 'SET', 'maxmemory', '0');
        return;
      case 'stall_redis':
        await redis.call('CLIENT', 'PAUSE', String(fault.forMs), 'ALL');
        return sleep(fault.forMs);
      case 'cut_redis':
        for (const type of ['normal', 'pubsub'])
          await redis.call('CLIENT', 'KILL', 'TYPE', type);
    }
  }
}
