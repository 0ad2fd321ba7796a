import { AccountStore } from '../../src/tenants/spend/account.store';
import { LearntModels } from '../../src/llm/models/learnt-models';
import { Budgets } from '../../src/tenants/spend/budgets';
import { Queue } from 'bullmq';
import type { SandboxUnderTest } from '../../sandbox/testing/sandbox-under-test';
import { loadConfig } from '../../src/config/load-config';
import { PriceTable } from '../../src/llm/prices/price-table';
import { ModelCatalog } from '../../src/llm/models/model-catalog';
import { ModelChoice } from '../../src/llm/models/model-choice';
import { UpstreamClient } from '../../src/llm/upstream/upstream.client';
import { AppendOnlyFileRewrite } from '../../src/platform/redis/append-only-file-rewrite';
import { CompletionsProtocol } from '../../src/research/hosted/completions/completions-protocol';
import { TokenCounter } from '../../src/llm/tokens/token-counter';
import { HostedBilling } from '../../src/research/hosted/billing';
import { Adoption } from '../../src/research/hosted/purchase/adoption';
import { UnreportedCost } from '../../src/research/hosted/unreported-cost';
import { HostedEndings } from '../../src/research/hosted/ending';
import { HostedRunWriter } from '../../src/research/hosted/record/hosted-run-writer';
import { HostedRunner } from '../../src/research/hosted/hosted-runner';
import { Purchase } from '../../src/research/hosted/purchase/purchase';
import { PurchaseStore } from '../../src/research/hosted/record/purchase.store';
import { RateLimitCooldown } from '../../src/research/hosted/rate-limit-cooldown';
import { Follow } from '../../src/research/hosted/responses/follow';
import { ResearchProtocols } from '../../src/research/hosted/protocol-registry';
import { ResponsesProtocol } from '../../src/research/hosted/responses/responses-protocol';
import { ResponsesClient } from '../../src/research/hosted/responses/responses.client';
import { TwoPhase } from '../../src/research/hosted/two-phase/two-phase';
import {
  researchArguments,
  type ResearchArguments,
} from '../../src/research/arguments/research-arguments';
import { PreviousRuns } from '../../src/research/continuation/previous-runs';
import { ResearchKind } from '../../src/research/research-kind';
import {
  RESEARCH_JOB,
  RESEARCH_QUEUE,
} from '../../src/research/research-queue';
import { EventLogSubscriber } from '../../src/runs/events/event-log-subscriber';
import { SubscriberPresence } from '../../src/runs/events/subscriber-presence';
import { WorkerSignals } from '../../src/runs/queue/worker-signals';
import type { Claim } from '../../src/runs/store/run-claim';
import { RunDeletion } from '../../src/runs/ending/run-deletion';
import { EmptiedRunsStore } from '../../src/runs/store/emptied-runs.store';
import { FollowUpsStore } from '../../src/runs/store/follow-ups.store';
import { RunsService } from '../../src/runs/runs.service';
import { CallerRunsIndex } from '../../src/runs/store/caller-runs-index';
import { IdempotencyStore } from '../../src/runs/store/idempotency.store';
import { RunSubmitter } from '../../src/runs/submit/run-submitter';
import type { ActiveRun } from '../../src/runs/worker/active-run';
import { ActiveRuns } from '../../src/runs/worker/active-runs';
import type { Outcome } from '../../src/runs/worker/run-outcome';
import { engineChoice } from './engine-choice';
import { Invocations } from './invocations';
import type { TestRedis } from './redis/redis';

export const QUESTION = 'The history of kimchi';

export interface ClaimedRun {
  claim: Claim;
  run: ActiveRun;
  writer: HostedRunWriter;
}

/** What a worker needs for research, without its queue: a test claims a run and carries it out step by step. */
export class ResearchRoom extends Invocations {
  readonly upstream = new UpstreamClient(this.config);
  readonly signals = new WorkerSignals(this.connections);
  readonly active = new ActiveRuns(this.store, this.signals, this.config);
  readonly cooldown = new RateLimitCooldown(this.connections);
  readonly responses = new ResponsesClient(this.upstream, this.cooldown);
  readonly purchases = new PurchaseStore(this.connections);
  readonly learnt = new LearntModels();
  readonly follow = new Follow(this.responses, this.active, this.learnt);
  readonly protocols = new ResearchProtocols(
    new ResponsesProtocol(this.responses, this.follow),
    new CompletionsProtocol(),
  );
  readonly runs: RunsService;
  readonly purchase: Purchase;
  readonly phases: TwoPhase;
  readonly runner: HostedRunner;
  private readonly researchQueue: Queue;
  private readonly held: ActiveRun[] = [];

  private constructor(
    private readonly server: TestRedis,
    readonly sandbox: SandboxUnderTest,
    env: Record<string, string>,
  ) {
    super(server, loadConfig(env));
    const { connections, config, store, reader, kinds, endings } = this;
    this.researchQueue = new Queue(RESEARCH_QUEUE, {
      connection: connections.commands,
    });
    const models = new ModelChoice(new ModelCatalog(this.upstream), config);
    const kind = new ResearchKind(
      this.researchQueue,
      connections,
      models,
      kinds,
      config,
      engineChoice(models, config),
      new PreviousRuns(reader, config),
      new Budgets(new AccountStore(connections, config)),
      reader,
    );
    kind.onModuleInit();
    const callers = new CallerRunsIndex(connections, config);
    const idempotency = new IdempotencyStore(connections);
    const submitter = new RunSubmitter(
      config,
      store,
      reader,
      this.unfinished,
      endings,
      kinds,
      callers,
      idempotency,
    );
    const presence = new SubscriberPresence(store, this.signals, kinds);
    const deletion = new RunDeletion(
      store,
      reader,
      endings,
      kinds,
      callers,
      this.signals,
      new AppendOnlyFileRewrite(connections, config),
      new FollowUpsStore(connections),
      new EmptiedRunsStore(connections),
    );
    this.runs = new RunsService(
      config,
      submitter,
      store,
      reader,
      kinds,
      callers,
      new EventLogSubscriber(connections, reader, presence),
      deletion,
      new FollowUpsStore(connections),
    );
    this.purchase = new Purchase(
      this.upstream,
      models,
      this.cooldown,
      config,
      this.protocols,
      this.learnt,
    );
    this.phases = new TwoPhase(config, this.runs, reader, kind.waitingList);
    const prices = new PriceTable(config);
    this.runner = new HostedRunner(
      store,
      new Adoption(reader, config),
      this.purchases,
      this.purchase,
      this.protocols,
      new HostedEndings(prices),
      this.signals,
      this.phases,
      new HostedBilling(
        this.protocols,
        new UnreportedCost(
          connections,
          reader,
          prices,
          new TokenCounter(),
          models,
        ),
      ),
      config,
    );
  }

  static async open(
    redis: TestRedis,
    sandbox: SandboxUnderTest,
    env: Record<string, string> = {},
  ): Promise<ResearchRoom> {
    await redis.call('FLUSHALL');
    await sandbox.reset();
    return new ResearchRoom(redis, sandbox, {
      REDIS_URL: redis.url,
      LITELLM_BASE_URL: sandbox.url,
      ...env,
    });
  }

  /** Accepted, with its job in the queue, which no worker takes. */
  async submit(args: Partial<ResearchArguments> = {}): Promise<string> {
    const valid = researchArguments.parse({
      research_question: QUESTION,
      ...args,
    });
    const { record } = await this.runs.submitChecked('inv_', {
      tool: RESEARCH_JOB,
      arguments: valid,
      mode: 'background',
      caller: {},
    });
    return record.id;
  }

  async claim(id: string, limitMs = 60_000): Promise<ClaimedRun> {
    const outcome = await this.store.claim(id, 'worker', limitMs);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const { claim } = outcome;
    const run = this.active.hold(claim);
    this.held.push(run);
    return {
      claim,
      run,
      writer: new HostedRunWriter(this.store, this.purchases, claim),
    };
  }

  /** As if the worker were lost and its lease over: another one may claim the run. */
  async lose({ claim }: ClaimedRun): Promise<void> {
    await this.store.release(claim.id, claim.fence);
  }

  /** Claims a run and carries it out until it ends or is released, as a worker does. */
  async carryOut(id: string): Promise<Outcome> {
    const { claim, run } = await this.claim(id);
    const { fence } = claim;
    const outcome = await this.runner.run(claim, run);
    if (typeof outcome === 'object' && 'status' in outcome)
      await this.store.finish(id, fence, outcome);
    else await this.store.release(id, fence);
    return outcome;
  }

  /** One field of a record as it is stored. */
  async field(id: string, name: string): Promise<string | null> {
    const key = `sonde:{${id}}:record`;
    return (await this.server.call('HGET', key, name)) as string | null;
  }

  async progress(id: string): Promise<string[]> {
    const events = await this.reader.readLog(id, 0, 1_000);
    return events
      .filter(({ type }) => type === 'progress')
      .map(({ data }) => (JSON.parse(data) as { detail: string }).detail);
  }

  /** Runs that were paid for. */
  async creates(): Promise<number> {
    const { creates } = await this.sandbox.get<{ creates: number }>(
      '/sandbox/stats',
    );
    return creates;
  }

  /** Bodies of the creates that reached the endpoint, refused or not, oldest first. */
  async bodies(): Promise<Record<string, unknown>[]> {
    const { data } = await this.sandbox.get<{
      data: { path: string; body: Record<string, unknown> }[];
    }>('/sandbox/requests?last=100');
    return data
      .filter(({ path }) => path.endsWith('/responses'))
      .map(({ body }) => body);
  }

  override async close(): Promise<void> {
    for (const run of this.held) this.active.free(run);
    await this.researchQueue.close();
    await this.upstream.onApplicationShutdown();
    await super.close();
  }
}
