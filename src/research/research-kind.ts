import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { CallerIdentity } from '../platform/auth/caller';
import { StoredKeys } from '../platform/auth/stored-keys';
import { AppConfig } from '../config/config';
import { AppError } from '../platform/errors';
import { limitOr } from '../config/settings/key-limits';
import { ModelChoice } from '../llm/models/model-choice';
import { RedisConnections } from '../platform/redis/redis-connections';
import {
  AdmissionStore,
  type Applicant,
} from '../runs/admission/admission.store';
import { WaitingList } from '../runs/queue/waiting-list';
import { RunDispatcher } from '../runs/queue/run-dispatcher';
import type { RunJob } from '../runs/queue/run-queue';
import { type Attachments, RunKinds } from '../runs/queue/run-kinds';
import type { FieldsOf, RunField } from '../runs/record/run-fields';
import { RunReader } from '../runs/store/run-reader';
import { JOURNAL_SCHEMA } from '../runs/record/run-keys';
import type { HostedField } from './hosted/record/hosted-run-fields';
import { parentRunOf, publicPhaseOf } from './hosted/two-phase/public-phase';
import { PreviousRuns } from './continuation/previous-runs';
import { Budgets } from '../tenants/spend/budgets';
import type { RunEstimate } from '../runs/record/run-estimate';
import { EngineChoice } from './engine-choice';
import { ResearchEstimates } from './estimate/research-estimates';
import type { GivenDocument } from './arguments/given-documents';
import { GivenFiles } from './arguments/given-files';
import type { ResearchArguments } from './arguments/research-arguments';
import type { EngineName } from './research-engine';
import { RESEARCH_JOB, RESEARCH_QUEUE } from './research-queue';

/** The pool of the agent's runs; no model has such a name. */
const AGENT_POOL = '(agent)';

/** Runs of an endpoint wait for a place of the model that is configured when they begin, those of the agent for a worker's. */
const HOSTED_QUEUE = 'hosted';
const AGENT_QUEUE = 'agent';

/** No run of the account may be admitted. */
const NONE = -1;

/** Research has a queue of its own, and one model runs only so much of it at once. */
@Injectable()
export class ResearchKind implements OnModuleInit {
  readonly admission: AdmissionStore;
  readonly waitingList: WaitingList;
  readonly agentList: WaitingList;
  private readonly dispatcher: RunDispatcher;

  constructor(
    @InjectQueue(RESEARCH_QUEUE) queue: Queue<RunJob>,
    connections: RedisConnections,
    models: ModelChoice,
    private readonly kinds: RunKinds,
    private readonly config: AppConfig,
    private readonly engines: EngineChoice,
    private readonly previous: PreviousRuns,
    private readonly budgets: Budgets,
    private readonly reader: RunReader,
    @Optional() private readonly stored?: StoredKeys,
    @Optional() private readonly estimates?: ResearchEstimates,
    @Optional() private readonly files?: GivenFiles,
  ) {
    const { modelLimits } = config.research;
    this.admission = new AdmissionStore(connections, {
      tag: 'admission',
      limitOf: (model) =>
        // The agent's model calls are limited where they are made, and each worker limits its runs.
        model === AGENT_POOL
          ? 0
          : Number(modelLimits.get(model) ?? modelLimits.get('*') ?? 0),
      queues: [HOSTED_QUEUE, AGENT_QUEUE],
      applicantOf: (id) => this.applicantOf(id),
    });
    this.dispatcher = new RunDispatcher(queue, RESEARCH_JOB, this.admission);
    this.waitingList = new WaitingList(
      this.admission,
      this.dispatcher,
      HOSTED_QUEUE,
      async () => (await models.known()).research[0],
    );
    this.agentList = new WaitingList(
      this.admission,
      this.dispatcher,
      AGENT_QUEUE,
      async () => AGENT_POOL,
    );
  }

  onModuleInit(): void {
    this.kinds.register({
      name: RESEARCH_JOB,
      dispatcher: this.dispatcher,
      kept: this.files && ((args, caller) => this.inText(args, caller)),
      fieldsOf: (args, { name }, given) =>
        this.checkedFields(args as ResearchArguments, name, given),
      mayBegin: (caller) => this.budgets.check(caller),
      estimate:
        this.estimates &&
        ((args, caller) => this.estimate(args as ResearchArguments, caller)),
      settle: (id) => this.settle(id),
      leftovers: () => this.admission.everyone(),
      purge: attachmentsOf,
    });
  }

  private async inText(
    args: { documents?: GivenDocument[] },
    caller: CallerIdentity,
  ): Promise<Record<string, unknown>> {
    const { documents } = args;
    if (!documents) return args;
    return { ...args, documents: await this.files!.inText(documents, caller) };
  }

  /** What continues a run may write with what that has read, whatever its budget. */
  private async checkedFields(
    args: ResearchArguments,
    caller: string | undefined,
    { continued_from }: FieldsOf<RunField>,
  ): Promise<FieldsOf<RunField>> {
    const fields = await this.fieldsOf(args, caller);
    if (fields.engine === 'agent' && !continued_from)
      await this.engines.checkBudget(args);
    return fields;
  }

  /** The engine is decided once, and no takeover changes it. So is what the run follows up, whose depth it has unless it asks for another. */
  private async fieldsOf(
    args: ResearchArguments,
    caller: string | undefined,
  ): Promise<FieldsOf<RunField>> {
    const { previous_invocation_id: earlier } = args;
    const previous =
      earlier === undefined
        ? undefined
        : JSON.stringify(await this.previous.find(earlier, caller));
    const { engine, depth } = await this.chosen(args);
    const schema = engine === 'agent' ? String(JOURNAL_SCHEMA) : undefined;
    return { engine, schema, depth, previous, parent: earlier };
  }

  private async chosen(
    args: ResearchArguments,
  ): Promise<{ engine: EngineName; depth?: string }> {
    const { previous_invocation_id: earlier } = args;
    const depth =
      earlier === undefined || args.depth !== undefined
        ? undefined
        : await this.previous.depthOf(earlier);
    if (depth)
      try {
        return {
          engine: await this.engines.chooseFor({ ...args, depth }),
          depth,
        };
      } catch (error) {
        // No agent can carry it: it is chosen for as without a depth.
        if (!(error instanceof AppError)) throw error;
      }
    return { engine: await this.engines.chooseFor(args), depth: args.depth };
  }

  /** Of what would be submitted in the same way. */
  private async estimate(
    args: ResearchArguments,
    caller: CallerIdentity,
  ): Promise<RunEstimate> {
    const { engine, depth } = await this.fieldsOf(args, caller.name);
    const wanted = { ...args, ...(depth && { depth }) } as ResearchArguments;
    return this.estimates!.of(wanted, engine as EngineName, caller);
  }

  /** A record of an earlier version names the configured key only. */
  private async applicantOf(id: string): Promise<Applicant> {
    const fields = await this.reader.readSome(
      id,
      'engine',
      'account',
      'caller',
      'needed',
      'phase',
    );
    const { engine, caller } = fields;
    const account = fields.account || (caller ? `@${caller}` : '');
    const { weight, precedence, limits } =
      this.stored?.settingsOf(account) ?? {};
    const most = limitOr(
      limits?.concurrent_research,
      this.config.keyLimits.concurrent_research,
    );
    const isAgent = engine === 'agent';
    // The agent reserves each of its calls. What has begun, or is part of what has, is brought to its end.
    const isExempt =
      isAgent || fields.needed || fields.phase || parentRunOf(id);
    const isSpent = !isExempt && (await this.budgets.spentOf(account));
    return {
      queue: isAgent ? AGENT_QUEUE : HOSTED_QUEUE,
      account,
      weight: weight ?? 1,
      precedence: precedence ?? false,
      most: isSpent ? NONE : account === '' ? 0 : most,
    };
  }

  /** Frees its place, and promotes the research that waits for it if it is a public phase. */
  private async settle(id: string): Promise<void> {
    const parent = parentRunOf(id);
    await Promise.all([
      this.waitingList.leave(id),
      parent && this.dispatcher.promote(parent),
    ]);
  }
}

function attachmentsOf(
  id: string,
  { upstream_id, phase }: FieldsOf<HostedField | RunField>,
): Attachments {
  return {
    responses: upstream_id ? [upstream_id] : [],
    runs: phase ? [publicPhaseOf(id)] : [],
  };
}
