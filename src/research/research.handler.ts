import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../config/config';
import { forwardedIn, withForwarded } from '../llm/upstream/forwarded-headers';
import type { Claim, Finish } from '../runs/store/run-claim';
import { RunReader } from '../runs/store/run-reader';
import { RunStore } from '../runs/store/run.store';
import type { ActiveRun } from '../runs/worker/active-run';
import type { Wait } from '../runs/queue/waiting-list';
import { Suspension } from '../runs/record/suspension';
import type { Admittance, RunHandler } from '../runs/worker/run.handler';
import type { Outcome } from '../runs/worker/run-outcome';
import { RunWorker } from '../runs/worker/run.worker';
import { AgentRunner } from './agent/agent-runner';
import { HostedRunner } from './hosted/hosted-runner';
import { TwoPhase } from './hosted/two-phase/two-phase';
import { queuedDetail, type QueueReason } from './hosted/record/progress-steps';
import type { ResearchEngine } from './research-engine';
import { ResearchKind } from './research-kind';
import { RESEARCH_JOB } from './research-queue';

/** Carries out research, each run by the engine that its record names. */
@Injectable()
export class ResearchHandler
  implements RunHandler, OnModuleInit, OnApplicationShutdown
{
  private watches: NodeJS.Timeout[] = [];
  /** How many runs this process carries. */
  private running = 0;

  constructor(
    private readonly worker: RunWorker,
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly kind: ResearchKind,
    private readonly phases: TwoPhase,
    private readonly hosted: HostedRunner,
    private readonly agent: AgentRunner,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    const { concurrency } = this.config.research;
    this.worker.register(RESEARCH_JOB, this, concurrency);
    const { waitingList, agentList } = this.kind;
    this.watches = [
      waitingList.watch(() => this.room),
      agentList.watch(() => this.agentRoom),
    ];
  }

  onApplicationShutdown(): void {
    for (const watch of this.watches) clearInterval(watch);
  }

  async admit(id: string, rank: number): Promise<Admittance> {
    const { timeoutMs } = this.config.research;
    const { engine } = await this.reader.readSome(id, 'engine');
    if (engine === this.agent.name) return this.admitToAgent(id, rank);
    if (await this.phases.isIdle(id)) return { timeLimitMs: timeoutMs };
    const { waitingList } = this.kind;
    const entry = await waitingList.enter(id, rank, Math.max(1, this.room));
    if (entry === 'in') return { timeLimitMs: timeoutMs };
    const refused =
      this.config.research.modelLimits.size > 0 ? 'model' : 'worker';
    const reason = reasonOf(entry) ?? refused;
    await this.noteWait(id, reason, entry.ahead);
    return entry;
  }

  async run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    const forwarded = forwardedIn(claim.fields);
    this.running += 1;
    try {
      const outcome = await withForwarded(forwarded, () =>
        this.engineOf(claim).run(claim, run),
      );
      // It has no place while its plan waits for a decision, which may take days.
      if (outcome instanceof Suspension)
        await this.kind.agentList.leave(claim.id);
      return outcome;
    } finally {
      this.running -= 1;
    }
  }

  abandon(claim: Claim): Promise<Finish> {
    return this.engineOf(claim).abandon(claim);
  }

  /** A record of an earlier version names none. */
  private engineOf({ fields }: Claim): ResearchEngine {
    return fields.engine === this.agent.name ? this.agent : this.hosted;
  }

  private get room(): number {
    return this.config.research.concurrency - this.running;
  }

  private get agentRoom(): number {
    return Math.min(this.agent.places.room, this.room);
  }

  /** It takes no place of a research model but one of this process. */
  private async admitToAgent(id: string, rank: number): Promise<Admittance> {
    const { places } = this.agent;
    const { agentList } = this.kind;
    let wait: Wait;
    if (places.ask(id)) {
      try {
        const room = Math.max(1, this.agentRoom);
        const entry = await agentList.enter(id, rank, room);
        if (entry === 'in') {
          places.reserve(id);
          return { timeLimitMs: this.config.research.timeoutMs };
        }
        wait = entry;
      } finally {
        places.decline(id);
      }
    } else wait = await agentList.wait(id, rank);
    const ofKey = reasonOf(wait);
    await this.noteWait(id, ofKey ?? 'worker', wait.ahead);
    return { retryMs: ofKey ? wait.retryMs : places.retryMs() };
  }

  private noteWait(
    id: string,
    reason: QueueReason,
    ahead: number,
  ): Promise<void> {
    return this.store.noteWait(id, reason, queuedDetail(reason, ahead));
  }
}

/** Why its API key has a run wait, if that is why it waits. */
function reasonOf({ kind }: Wait): 'key' | 'budget' | undefined {
  if (kind === 'closed') return 'budget';
  return kind === 'full' ? 'key' : undefined;
}
