import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError, type FieldError } from '../../platform/errors';
import { fieldErrorsOf } from '../../platform/http/validation/schema-faults';
import { type Budget, budgetSchema } from '../arguments/budget';
import type { FieldsOf } from '../../runs/record/run-fields';
import { RunReader } from '../../runs/store/run-reader';
import type { RunRecord } from '../../runs/record/run-record';
import { type Inherited, isFinal, type Usage } from '../../runs/record/run';
import { RunsService } from '../../runs/runs.service';
import type { Accepted } from '../../runs/submit/run-submitter';
import { JournalForks } from './journal-fork';
import { EngineChoice } from '../engine-choice';
import {
  argumentsIn,
  type ResearchArguments,
} from '../arguments/research-arguments';
import { RESEARCH_JOB } from '../research-queue';

interface Request {
  /** Without a name: no API keys are configured. */
  caller: CallerIdentity;
  requestId: string;
  forwarded?: Record<string, string>;
  /** Of idempotency. */
  key?: string;
}

/** Begins runs of the agent that continue others, with a copy of their journal. */
@Injectable()
export class Continuation {
  constructor(
    private readonly runs: RunsService,
    private readonly reader: RunReader,
    private readonly forks: JournalForks,
    private readonly engines: EngineChoice,
  ) {}

  /**
   * The new run belongs to the caller of `earlier`, who alone can begin it: the token of `earlier` does not authorise a purchase.
   * @throws AppError `invocation_not_found`, `invocation_not_ended`, `not_continuable`, `journal_expired`, `agent_version_unknown`,
   * `validation_failed`, or what a submission throws.
   */
  async begin(
    earlier: RunRecord,
    given: Record<string, unknown>,
    { caller: { name, scopes, account }, requestId, forwarded, key }: Request,
  ): Promise<Accepted> {
    const { id, caller, priority, webhook, metadata } = earlier;
    if (name !== undefined && name !== caller)
      throw new AppError('invocation_not_found');
    const budget = budgetIn(given);
    checkEnd(earlier);
    const passesOn = await this.forks.passesOn(id);
    const {
      args = '{}',
      depth,
      previous,
    } = await this.reader.readSome(id, 'args', 'depth', 'previous');
    const wanted = {
      ...argumentsIn({ args, engine: 'agent', depth }),
      budget,
      // The report that it follows up is kept with it.
      previous_invocation_id: undefined,
    };
    await this.checkBudget(wanted, passesOn ? id : undefined);
    const fields = {
      continued_from: id,
      ...(passesOn && inheritedBy(earlier)),
      ...(previous && { previous }),
      ...(earlier.parent && { parent: earlier.parent }),
    };
    const body = { continue: id, budget };
    return this.runs.submitChecked('inv_', {
      tool: RESEARCH_JOB,
      arguments: wanted,
      mode: 'background',
      caller: { name: caller, scopes, account },
      priority,
      webhook,
      metadata,
      requestId,
      forwarded,
      fields,
      ...(passesOn && { prepare: (child) => this.prepare(id, child) }),
      ...(key !== undefined && { idempotency: { key, body } }),
    });
  }

  /**
   * @param from the run that passes its steps on; without one, the budget has to be enough for a run from the beginning.
   * @throws AppError `validation_failed` for a limit that cannot be kept, or if the agent cannot search now.
   */
  private async checkBudget(
    args: ResearchArguments,
    from: string | undefined,
  ): Promise<void> {
    await this.engines.chooseFor(args).catch(withoutArguments);
    if (from === undefined)
      return this.engines.checkBudget(args).catch(withoutArguments);
    if (args.budget?.max_cost_usd === undefined) return;
    // The run keeps the models of the earlier one.
    const [name] = await this.forks.unpriced(from);
    if (name === undefined) return;
    const message = `needs a price of the model ${name}, which the earlier run did not have`;
    throw invalid([
      { path: 'budget.max_cost_usd', message, code: 'needs_price' },
    ]);
  }

  private async prepare(from: string, to: string): Promise<FieldsOf<string>> {
    const { entries, bytes } = await this.forks.copy(from, to);
    return { inherited_entries: String(entries), journal_bytes: String(bytes) };
  }
}

/** The budget is no argument here. */
function withoutArguments(error: unknown): never {
  if (!(error instanceof AppError) || !error.errors) throw error;
  const errors = error.errors.map((one) => ({
    ...one,
    path: one.path.replace(/^arguments\.(?=budget)/, ''),
  }));
  throw new AppError(error.code, error.message, { errors });
}

/** @throws AppError `validation_failed`. */
function budgetIn(given: Record<string, unknown>): Budget {
  const { data, error } = budgetSchema.safeParse(given, { reportInput: true });
  const faults = (error?.issues ?? []).flatMap((issue) =>
    fieldErrorsOf(issue, 'budget'),
  );
  if (!data) throw invalid(faults.slice(0, 20));
  if (Object.values(data).every((limit) => limit === undefined))
    throw invalid([
      { path: 'budget', message: 'must have a limit', code: 'required' },
    ]);
  return data;
}

function invalid(errors: FieldError[]): AppError {
  return new AppError('validation_failed', 'The request is not valid.', {
    errors,
  });
}

/** @throws AppError `invocation_not_ended`, `not_continuable`. */
function checkEnd({ status, engine, limitsReached }: RunRecord): void {
  if (engine !== 'agent')
    throw new AppError(
      'not_continuable',
      'Only a run of the research agent can be continued.',
    );
  if (!isFinal(status)) throw new AppError('invocation_not_ended');
  const isWhole = status === 'completed' && !limitsReached?.length;
  if (status === 'cancelled' || isWhole)
    throw new AppError(
      'not_continuable',
      'It was cancelled, or it is whole: there is nothing to continue.',
    );
}

const NOTHING: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  tool_calls: 0,
};

/** What the record shows of the earlier run, and of those that it has inherited from. */
function inheritedBy({ usage, cost, inherited, plan }: RunRecord) {
  const [a, b] = [usage ?? NOTHING, inherited?.usage ?? NOTHING];
  const costs = [cost?.spent, inherited ? inherited.cost_usd : 0];
  const isKnown = costs.every((one) => typeof one === 'number');
  const sums: Inherited = {
    usage: {
      input_tokens: a.input_tokens + b.input_tokens,
      output_tokens: a.output_tokens + b.output_tokens,
      total_tokens: a.total_tokens + b.total_tokens,
      tool_calls: a.tool_calls + b.tool_calls,
    },
    cost_usd: isKnown ? costs.reduce((sum, one) => sum + one, 0) : null,
  };
  // As it was approved or edited.
  const kept = plan && { directions: plan.directions, estimate: plan.estimate };
  return {
    inherited: JSON.stringify(sums),
    ...(kept && { plan: JSON.stringify(kept) }),
  };
}
