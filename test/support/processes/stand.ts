import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { KEYS } from '../../../src/runs/record/run-keys';
import { Client } from '../client';
import {
  comeDue,
  expireAllLeases,
  expireLeases,
  forgetRequests,
} from '../redis/expiry';
import { TestRedis, type TestRedisOptions } from '../redis/redis';
import { until } from '../until';
import { Service } from './service';
import type { Toolbox } from './toolbox';

export interface StandOptions {
  apis?: number;
  workers?: number;
  /** Duration of one run of research at the sandbox. */
  researchMs?: number;
  redis?: TestRedisOptions;
  /** The build to start, with more tools; removed at the end. */
  toolbox?: Toolbox;
  /** Whether the sandbox is also what the research agent searches and reads. */
  searchesSandbox?: boolean;
  env?: Record<string, string>;
}

/** A complete installation for one test file: Redis, sandbox, API processes and workers. */
export class Stand {
  apis: Service[] = [];
  workers: Service[] = [];

  private constructor(
    readonly redis: TestRedis,
    readonly sandbox: Sandbox,
    readonly env: Record<string, string>,
    private readonly toolbox?: Toolbox,
  ) {}

  static async start(options: StandOptions = {}): Promise<Stand> {
    const { apis = 1, workers = 1, researchMs = 200, env = {} } = options;
    const redis = await TestRedis.start(options.redis);
    const sandbox = await startSandbox({
      port: 0,
      turnMs: 1,
      researchMs,
      strictItems: true,
    });
    const stand = new Stand(
      redis,
      sandbox,
      {
        REDIS_URL: redis.url,
        LITELLM_BASE_URL: sandbox.url,
        LITELLM_API_KEY: 'sk-upstream-secret',
        ...(options.searchesSandbox && {
          RELAY_SEARCH: `searxng:${sandbox.url}`,
          RELAY_PAGES_ALLOWED_ORIGINS: sandbox.url,
        }),
        ...env,
      },
      options.toolbox,
    );
    const started = await Promise.allSettled([
      ...Array.from({ length: apis }, () => stand.addApi()),
      ...Array.from({ length: workers }, () => stand.addWorker()),
    ]);
    const failed = started.find(({ status }) => status === 'rejected');
    if (!failed) return stand;
    await stand.stop();
    throw (failed as PromiseRejectedResult).reason;
  }

  async addApi(env: Record<string, string> = {}): Promise<Service> {
    const api = await this.start('main', env);
    this.apis.push(api);
    return api;
  }

  async addWorker(env: Record<string, string> = {}): Promise<Service> {
    const worker = await this.start('worker', env);
    this.workers.push(worker);
    return worker;
  }

  /** The worker that holds a run, out of those that are up: one that is started meanwhile may take longer than the run. */
  async holderOf({ id }: { id: string }): Promise<Service> {
    const worker = await until('the worker of the run', async (saw) =>
      saw(await this.redis.call('HGET', KEYS.record(id), 'worker')),
    );
    return this.workers.find(({ output }) => output.includes(String(worker)))!;
  }

  /** Kills all workers; another carries on with what they held as soon as there is one. */
  async killWorkers(): Promise<void> {
    const killed = this.workers.splice(0);
    await Promise.all(killed.map((worker) => worker.stop('SIGKILL')));
    await this.expireLeases();
  }

  /** In place of all workers. */
  async replaceWorkers(env: Record<string, string> = {}): Promise<Service> {
    const before = this.workers.splice(0);
    await Promise.all(before.map((worker) => worker.stop()));
    return this.addWorker(env);
  }

  /** As if these runs, or without any all that are held, had lost their workers half a minute ago: others carry on. */
  expireLeases(...runs: { id: string }[]): Promise<void> {
    return runs.length === 0
      ? expireAllLeases(this.redis)
      : expireLeases(
          this.redis,
          runs.map(({ id }) => id),
        );
  }

  /** See `comeDue` of the expiry of tests: the time of an alarm has come. */
  comeDue({ id }: { id: string }): Promise<number | undefined> {
    return comeDue(this.redis, id);
  }

  client(api = 0): Client {
    return new Client(this.apis[api].url);
  }

  /** Every API lists this tool: a process starts without those of an MCP server that is slow. */
  async lists(tool: string, key?: string): Promise<void> {
    for (const { url } of this.apis) {
      const client = new Client(url);
      const caller = key === undefined ? client : client.as(key);
      await until(`the tool ${tool}`, async (saw) => {
        const { body } = await caller.get('/api/v1/tools');
        const tools = saw(body.tools) as { name: string }[];
        return tools.some(({ name }) => name === tool);
      });
    }
  }

  async fault(fault: object): Promise<void> {
    await this.control('POST', '/sandbox/faults', fault);
  }

  /** Ends all faults; requests that a fault held up continue. */
  async clearFaults(): Promise<void> {
    await this.control('DELETE', '/sandbox/faults');
  }

  async stats(): Promise<SandboxStats> {
    return (await this.control('GET', '/sandbox/stats')) as SandboxStats;
  }

  /** The latest request bodies that reached the upstream, oldest first. */
  async requests(last = 100): Promise<UpstreamRequest[]> {
    const { data } = (await this.control(
      'GET',
      `/sandbox/requests?last=${last}`,
    )) as { data: UpstreamRequest[] };
    return data;
  }

  async configure(config: object): Promise<void> {
    await this.control('POST', '/sandbox/config', config);
  }

  /** Forgets what the sandbox has seen, and what callers have asked. */
  async reset(): Promise<void> {
    await this.control('POST', '/sandbox/reset');
    await forgetRequests(this.redis);
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.apis, ...this.workers].map((service) => service.stop('SIGKILL')),
    );
    await this.sandbox.close();
    await this.redis.stop();
    this.toolbox?.remove();
  }

  private start(
    entry: 'main' | 'worker',
    env: Record<string, string>,
  ): Promise<Service> {
    return Service.start(entry, { ...this.env, ...env }, this.toolbox?.dist);
  }

  private async control(
    method: string,
    path: string,
    body?: object,
  ): Promise<unknown> {
    const reply = await fetch(this.sandbox.url + path, {
      method,
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (!reply.ok)
      throw new Error(
        `${method} ${path}: ${reply.status} ${await reply.text()}`,
      );
    return reply.json().catch(() => undefined);
  }
}

export interface SandboxStats {
  creates: number;
  creates_by_invocation: Record<string, number>;
  billed_by_invocation: Record<
    string,
    { input_tokens: number; output_tokens: number }
  >;
  turns: number;
  retrieves: number;
  resumes: number;
  cancels: number;
  in_flight: number;
  /** The latest thousand, oldest first. `at`: time of arrival, RFC 3339. */
  requests: {
    at: string;
    method: string;
    path: string;
    status: number;
    query?: string;
  }[];
}

export interface UpstreamRequest {
  path: string;
  /** The fields that tests use, see sandbox/README.md. */
  headers: Record<string, string>;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}
