import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import { isPrivate } from '../../../config/files/hosted-tools';
import { AppError, type ErrorCode, isErrorCode } from '../../../errors';
import type { ActiveRun } from '../../../runs/worker/active-run';
import { isFinal } from '../../../runs/run';
import { timeOf } from '../../../runs/run-id';
import { RunReader } from '../../../runs/record/run.reader';
import type { RunRecord } from '../../../runs/record/run.record';
import type { ClaimedFields } from '../../../runs/record/run.fields';
import type { Claim, Finish } from '../../../runs/record/run.store';
import type { HostedField } from '../hosted-run.fields';
import { ended, Rescheduled } from '../../../runs/worker/run.outcome';
import { RunsService } from '../../../runs/runs.service';
import type { PublicFindings } from './public-findings';
import { publicPhaseOf } from './public-phase';
import { pollIntervalMs } from '../poll-interval';
import type { ResearchArguments } from '../../research.arguments';
import { ResearchKind } from '../../research.kind';
import { RESEARCH_JOB } from '../../research.queue';
import type { HostedRunWriter } from '../hosted-run.writer';

/**
 * How far a research of two phases has come, in the field `phase` of its record. `asks`: the public phase is about to be
 * scheduled, or is. `waits`: it is. `private`: it has ended, and what it found is on record.
 */
export type Phase = '' | 'asks' | 'waits' | 'private';

/** No time limit: the public phase has one of its own, from when it begins. */
const WAIT_MS = 7 * 24 * 60 * 60 * 1000;

/** The way of a research to its second, private phase. Every step is on record before the next one is taken. */
@Injectable()
export class TwoPhase {
  private readonly configured: boolean;

  constructor(
    private readonly config: AppConfig,
    private readonly invocations: RunsService,
    private readonly reader: RunReader,
    private readonly kind: ResearchKind,
  ) {
    const { tools, research } = config.hosted;
    this.configured = research.some((name) => isPrivate(tools.get(name)!.kind));
  }

  /** Whether it does nothing but wait, or end, for which it needs no place among those of its model. */
  async isIdle(id: string): Promise<boolean> {
    if (!this.configured) return false;
    const { phase, cancel } = await this.reader.readSome<HostedField>(
      id,
      'phase',
      'cancel',
    );
    return phase === 'waits' || (Boolean(phase) && cancel === '1');
  }

  /**
   * Goes on with the public phase. Answers when to look again, or how the research ends because of it.
   * @param fields of the record when it was claimed.
   */
  async advance(
    { id, remainingMs }: Claim,
    fields: ClaimedFields<HostedField>,
    journal: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Finish | Rescheduled> {
    const deadline = Number(fields.deadline_ms);
    const publicId = publicPhaseOf(id);
    if (journal.phase === '')
      await journal.enter('asks', `Phase 1 of 2: the web, as ${publicId}`, {
        deadline_ms: String(deadline + WAIT_MS),
      });
    let record = await this.reader.read(publicId);
    if (!record && journal.phase === 'asks') {
      await this.schedule(id, publicId, fields.args);
      record = await this.reader.read(publicId);
    }
    if (journal.phase === 'asks') await journal.enter('waits');
    // It was deleted.
    if (!record) return ended('failed', 'cancelled');
    if (!isFinal(record.status)) return this.wait(id, run);
    if (record.text === null) return ended('failed', codeOf(record));
    const begins = deadline - remainingMs;
    await this.goOn(record, journal, begins);
    // Its second phase has to be admitted, and has the whole time limit.
    return new Rescheduled(0);
  }

  /** Ends the public phase of a research that ends before it. */
  async callOff(id: string): Promise<void> {
    const record = await this.reader.read(publicPhaseOf(id));
    if (record && !isFinal(record.status))
      await this.invocations.cancel(record);
  }

  private async schedule(
    id: string,
    publicId: string,
    args: string,
  ): Promise<void> {
    const own = JSON.parse(args) as ResearchArguments;
    const { research_question, context, constraints, system_prompt } = own;
    // The caller's documents are for the private phase: what is given to a run on the web may leave with its searches.
    const asked: Partial<ResearchArguments> = {
      research_question,
      context,
      constraints,
      system_prompt,
      deliverable_format: 'markdown_report',
      require_citations: true,
      data_sources: 'web',
    };
    try {
      await this.invocations.schedule(
        publicId,
        RESEARCH_JOB,
        asked,
        timeOf(id),
        id,
        true,
      );
    } catch (error) {
      // It was deleted, as is seen where it is read.
      const gone =
        error instanceof AppError && error.code === 'invocation_not_found';
      if (!gone) throw error;
    }
  }

  private async wait(id: string, run: ActiveRun): Promise<Rescheduled> {
    await this.kind.waitingList.leave(id);
    return new Rescheduled(pollIntervalMs(run.ageMs));
  }

  private async goOn(
    { text, sources }: RunRecord,
    journal: HostedRunWriter,
    begunMs: number,
  ): Promise<void> {
    const found: PublicFindings = { text: text!, sources: sources ?? [] };
    await journal.enter('private', 'Phase 2 of 2: private sources', {
      public: JSON.stringify(found),
      sources: JSON.stringify(found.sources),
      deadline_ms: String(begunMs + this.config.research.timeoutMs),
    });
  }
}

function codeOf({ error }: RunRecord): ErrorCode {
  if (!error) return 'cancelled';
  return isErrorCode(error.code) ? error.code : 'upstream_failed';
}
