import { Injectable } from '@nestjs/common';
import { AppError, type FieldError } from '../../platform/errors';
import { findPii } from '../../tools/guardrails/pii/pii-finder';
import { RunReader } from '../../runs/store/run-reader';
import type { RunRecord } from '../../runs/record/run-record';
import {
  type Direction,
  PLAN_DECISION,
  type PlanDecision,
  storedDecision,
} from '../../runs/record/stored-plan';
import { RunsService } from '../../runs/runs.service';
import { SearchScopes } from '../agent/search-scopes';
import { tidyQuery, withoutPassages } from '../agent/text/query-check';
import {
  argumentsIn,
  type ResearchArguments,
} from '../arguments/research-arguments';
import type { PlanDecisionDto } from './plan-decision.dto';

const DECISION = `decision:${PLAN_DECISION}` as const;

/** Takes decisions on plans. The first one of a plan stays. */
@Injectable()
export class PlanReviews {
  constructor(
    private readonly runs: RunsService,
    private readonly reader: RunReader,
    private readonly scopes: SearchScopes,
  ) {}

  /**
   * Safe to repeat with the same decision.
   * @returns the record as it is then.
   * @throws AppError `validation_failed`, `not_waiting`, `decision_conflict`, `invocation_not_found`.
   */
  async decide(record: RunRecord, given: PlanDecisionDto): Promise<RunRecord> {
    const decision = decisionOf(given);
    if (await this.isMade(record, decision)) return record;
    if (record.status !== 'requires_action') throw new AppError('not_waiting');
    await this.checkQueries(record, decision.directions ?? []);
    const decided = { [PLAN_DECISION]: JSON.stringify(decision) };
    try {
      await this.runs.decide(record, decided, 'plan');
    } catch (error) {
      // Another request with this decision may have been first.
      const isLate = error instanceof AppError && error.code === 'not_waiting';
      if (!isLate || !(await this.isMade(record, decision))) throw error;
    }
    return this.runs.read(record.id);
  }

  /** @throws AppError `decision_conflict` if there is another one. */
  private async isMade(
    { id }: RunRecord,
    decision: PlanDecision,
  ): Promise<boolean> {
    const stored = storedDecision(await this.reader.readSome(id, DECISION));
    if (!stored) return false;
    if (JSON.stringify(stored) === JSON.stringify(decision)) return true;
    throw new AppError('decision_conflict');
  }

  /** As the queries of a model are checked before a search. @throws AppError `validation_failed` that names each that would not be sent. */
  private async checkQueries(
    { id }: RunRecord,
    directions: readonly Direction[],
  ): Promise<void> {
    if (directions.length === 0) return;
    const { args = '{}' } = await this.reader.readSome(id, 'args');
    const research = argumentsIn({ args });
    const all = directions.flatMap(({ queries }) => queries);
    const clean = this.searchesWeb(research)
      ? await sendable(all, research)
      : new Set(all);
    const errors = directions.flatMap(({ queries }, at) =>
      queries.flatMap((query, n): FieldError[] => {
        const path = `plan.directions.${at}.queries.${n}`;
        if (query === '')
          return [
            {
              path,
              message: 'has no words besides addresses',
              code: 'no_words',
            },
          ];
        return clean.has(query)
          ? []
          : [{ path, message: UNSENDABLE, code: 'confidential' }];
      }),
    );
    if (errors.length > 0)
      throw new AppError('validation_failed', undefined, { errors });
  }

  private searchesWeb({ data_sources }: ResearchArguments): boolean {
    if (data_sources) return data_sources !== 'private';
    return this.scopes.has('public');
  }
}

const UNSENDABLE =
  'would not be sent to a search of the web: it holds personal data, a key, or a passage of the documents';

async function sendable(
  queries: string[],
  { documents = [], research_question }: ResearchArguments,
): Promise<Set<string>> {
  const texts = documents.map(({ text }) => text);
  const clean = await withoutPassages(queries, texts, research_question);
  return new Set([...clean].filter((query) => findPii(query).length === 0));
}

/** In the order of its fields, so that equal decisions are equal texts. */
function decisionOf({ approve, plan, reason }: PlanDecisionDto): PlanDecision {
  if (!approve && plan) {
    const errors = [{ path: 'plan', message: 'goes with an approval only' }];
    throw new AppError('validation_failed', undefined, { errors });
  }
  const directions = plan?.directions.map(({ title, queries }) => ({
    title: title.toWellFormed(),
    queries: [...new Set(queries.map(tidyQuery))],
  }));
  return {
    approve,
    ...(directions && { directions }),
    ...(reason && { reason: reason.toWellFormed() }),
  };
}
