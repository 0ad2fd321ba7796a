import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { type Claim, type Finish, RunStore } from '../../runs/store/run.store';
import type { ClaimedFields } from '../../runs/record/run-fields';
import { storedObject } from '../../runs/record/stored-fields';
import { PLAN_DECISION, storedDecision } from '../../runs/record/stored-plan';
import { Suspension } from '../../runs/record/suspension';
import type { Progress } from '../../runs/record/run';
import type { ActiveRun } from '../../runs/worker/active-run';
import {
  ended,
  type Outcome,
  Rescheduled,
} from '../../runs/worker/run-outcome';
import { RunWriter } from '../../runs/worker/run-writer';
import { argumentsIn } from '../arguments/research-arguments';
import type { ResearchEngine } from '../research-engine';
import { abandonedSteps, reportedEnding, stoppedOutcome } from './agent-ending';
import {
  type AgentTask,
  AgentVersions,
  RETIRED_VERSIONS,
  VERSION_DECISION,
} from './agent-versions';
import { Inheritance } from './journal/inheritance';
import { accountOf } from '../../tenants/spend/spend-keys';
import { AccountStore } from '../../tenants/spend/account.store';
import { Budgets } from '../../tenants/spend/budgets';
import { RunMoney } from './journal/run-money';
import { effectsSignal } from './effects-signal';
import { JournalMismatch } from './journal/journal';
import { JournalStore } from './journal/journal.store';
import { RunJournal } from './journal/run-journal';
import { Places } from './places';
import { PlanAwaited } from './stages/review-stage';

/** A run of a version of the agent that this worker does not have is put back for so long, for other workers. */
const UNKNOWN_VERSION_MS = 1_000;

/** Carries runs of the agent: the function of the version that began a run, with the journal of that run. */
@Injectable()
export class AgentRunner implements ResearchEngine {
  readonly name = 'agent';
  readonly places: Places;
  private readonly log = new Logger('Agent');

  constructor(
    private readonly store: RunStore,
    private readonly journals: JournalStore,
    private readonly versions: AgentVersions,
    private readonly accounts: AccountStore,
    private readonly budgets: Budgets,
    config: AppConfig,
  ) {
    this.places = new Places(config.research.agentConcurrency);
  }

  async run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    if (!this.places.take(run.id))
      return new Rescheduled(this.places.retryMs());
    try {
      return await this.carryOut(claim, run);
    } finally {
      this.places.free(run.id);
    }
  }

  /** Lists the attempts under way at the last crash. Results of steps are not read: they may be what crashes the workers. */
  async abandon({ id, fields, text }: Claim): Promise<Finish> {
    const status = text.trim() === '' ? 'failed' : 'incomplete';
    const steps = abandonedSteps(fields, await this.journals.unsettled(id));
    return ended(status, 'worker_crashed_repeatedly', { steps });
  }

  private async carryOut(claim: Claim, run: ActiveRun): Promise<Outcome> {
    const { id, fields, text, crashes } = claim;
    const { signal } = run;
    const effects = effectsSignal(signal);
    const steps = await this.journals.read(id);
    const inheritance = Inheritance.takenFrom(steps);
    // Without all of it, the run would buy again what it is to inherit.
    if (inheritance.size !== Number(fields.inherited_entries || 0))
      return ended('failed', 'journal_expired');
    const { accounts, budgets } = this;
    const money = new RunMoney(accounts, budgets, {
      account: accountOf(fields),
      id,
      fence: claim.fence,
    });
    const journal = new RunJournal(
      new RunWriter(this.store, claim, effects.signal),
      steps,
      {
        ...(inheritance.size > 0 && { inheritance }),
        signal,
        effects: effects.signal,
        money,
        crashes,
        lastStep: storedObject<Progress>(fields.progress)?.last_step,
      },
    );
    // They may be large, and a run may take an hour.
    claim.fields = { tool: '', mode: '', args: '', tokens: '', seq: '' };
    claim.text = '';
    const written = {
      get hasText() {
        return text.trim() !== '' || journal.hasText;
      },
    };
    try {
      const version = await journal.decide(
        VERSION_DECISION,
        () => this.versions.current,
      );
      const research = this.versions.of(version);
      if (!research && RETIRED_VERSIONS.includes(version)) {
        const status = written.hasText ? 'incomplete' : 'failed';
        return ended(status, 'agent_version_unknown', journal.fields);
      }
      if (!research) return new Rescheduled(UNKNOWN_VERSION_MS);
      const end = await research(taskOf(fields), journal, signal);
      await journal.idle();
      return reportedEnding(end, journal, written);
    } catch (error) {
      // The first error of a step counts, whatever became of it on its way.
      const fault = await journal.idle().then(
        () => error,
        (first: unknown) => first,
      );
      if (fault instanceof PlanAwaited && !signal.aborted)
        return suspensionOf(fault);
      if (fault instanceof JournalMismatch)
        this.log.error({ msg: 'Journal mismatch', id, step: fault.key });
      return stoppedOutcome(fault, signal, journal, written);
    } finally {
      // Also in an outage: what stays reserved is freed when the run ends.
      await money.release(journal.bill).catch(() => undefined);
      effects.clear();
    }
  }
}

function taskOf(fields: ClaimedFields): AgentTask {
  const args = argumentsIn(fields);
  const { depth = 'auto', verify = 'check', budget = {} } = args;
  const deadlineMs = Number(fields.deadline_ms);
  const caller = fields.caller || undefined;
  const planDecision = storedDecision(fields) ?? undefined;
  return { args, depth, verify, budget, caller, deadlineMs, planDecision };
}

/** No worker holds it until its plan is approved, edited or refused. */
function suspensionOf({ plan }: PlanAwaited): Suspension {
  const action = { plan: { ...plan, review: null, reason: null } };
  return new Suspension([PLAN_DECISION], action, {
    plan: JSON.stringify(plan),
  });
}
