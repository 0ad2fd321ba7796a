import { Inject, Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import { isPrivate } from '../../../config/files/hosted-tools';
import {
  AppError,
  type ErrorCode,
  isErrorCode,
} from '../../../platform/errors';
import type { ActiveRun } from '../../../runs/worker/active-run';
import type { WaitingList } from '../../../runs/queue/waiting-list';
import { isFinal } from '../../../runs/record/run';
import { timeOf } from '../../../runs/record/run-id';
import { RunReader } from '../../../runs/store/run-reader';
import type { RunRecord } from '../../../runs/record/run-record';
import type { ClaimedFields } from '../../../runs/record/run-fields';
import type { Claim, Finish } from '../../../runs/store/run.store';
import type { HostedField } from '../record/hosted-run-fields';
import { ended, Rescheduled } from '../../../runs/worker/run-outcome';
import { RunsService } from '../../../runs/runs.service';
import type { PublicFindings } from '../record/public-findings';
import { publicPhaseOf } from './public-phase';
import { pollIntervalMs } from '../poll-interval';
import type { ResearchArguments } from '../../arguments/research-arguments';
import { HOSTED_LIST, RESEARCH_JOB } from '../../research-queue';
import type { HostedRunWriter } from '../record/hosted-run-writer';

/** Added to the time limit while the public phase runs, which has a time limit of its own from its start. */
const WAIT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Runs research on the web and then on private sources: the public phase is a run of its own, and its findings become
 * input of the private phase. Every step is on record before the next one begins.
 */
@Injectable()
export class TwoPhase {
  private readonly configured: boolean;

  constructor(
    private readonly config: AppConfig,
    private readonly runs: RunsService,
    private readonly reader: RunReader,
    @Inject(HOSTED_LIST) private readonly waitingList: WaitingList,
  ) {
    const { tools, research } = config.hosted;
    this.configured = research.some((name) => isPrivate(tools.get(name)!.kind));
  }

  /** The run only waits for its public phase, or is cancelled, so it needs no admission to its model. */
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
   * Advances the public phase by one step. Returns when to check it again, or how the run ends with it.
   * @param fields of the record at the time of the claim.
   */
  async advance(
    { id, remainingMs }: Claim,
    fields: ClaimedFields<HostedField>,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Finish | Rescheduled> {
    const deadline = Number(fields.deadline_ms);
    const publicId = publicPhaseOf(id);
    if (writer.phase === '')
      await writer.enterPhase('asks', `Phase 1 of 2: the web, as ${publicId}`, {
        deadline_ms: String(deadline + WAIT_MS),
      });
    let record = await this.reader.read(publicId);
    if (!record && writer.phase === 'asks') {
      await this.schedule(id, publicId, fields.args);
      record = await this.reader.read(publicId);
    }
    if (writer.phase === 'asks') await writer.enterPhase('waits');
    // The public phase was deleted.
    if (!record) return ended('failed', 'cancelled');
    if (!isFinal(record.status)) return this.wait(id, run);
    if (record.text === null) return ended('failed', codeOf(record));
    const now = deadline - remainingMs;
    await this.enterPrivatePhase(record, writer, now);
    // The private phase has to be admitted, and has the whole time limit.
    return new Rescheduled(0);
  }

  /** Cancels the public phase of a run that ends before it. */
  async cancelPublicPhase(id: string): Promise<void> {
    const record = await this.reader.read(publicPhaseOf(id));
    if (record && !isFinal(record.status)) await this.runs.cancel(record);
  }

  private async schedule(
    id: string,
    publicId: string,
    args: string,
  ): Promise<void> {
    const own = JSON.parse(args) as ResearchArguments;
    const { research_question, context, constraints, system_prompt } = own;
    // The caller's documents are for the private phase: a web search may send any input of its run to third parties.
    const publicArgs: Partial<ResearchArguments> = {
      research_question,
      context,
      constraints,
      system_prompt,
      deliverable_format: 'markdown_report',
      require_citations: true,
      data_sources: 'web',
      engine: 'hosted',
    };
    try {
      await this.runs.schedule(id, {
        id: publicId,
        tool: RESEARCH_JOB,
        arguments: publicArgs,
        dueMs: timeOf(id),
        isPart: true,
      });
    } catch (error) {
      // A deleted public phase is handled where it is read.
      const deleted =
        error instanceof AppError && error.code === 'invocation_not_found';
      if (!deleted) throw error;
    }
  }

  private async wait(id: string, run: ActiveRun): Promise<Rescheduled> {
    await this.waitingList.leave(id);
    return new Rescheduled(pollIntervalMs(run.ageMs));
  }

  private async enterPrivatePhase(
    { text, sources }: RunRecord,
    writer: HostedRunWriter,
    nowMs: number,
  ): Promise<void> {
    const found: PublicFindings = { text: text!, sources: sources ?? [] };
    await writer.enterPhase('private', 'Phase 2 of 2: private sources', {
      public: JSON.stringify(found),
      sources: JSON.stringify(found.sources),
      deadline_ms: String(nowMs + this.config.research.timeoutMs),
    });
  }
}

function codeOf({ error }: RunRecord): ErrorCode {
  if (!error) return 'cancelled';
  return isErrorCode(error.code) ? error.code : 'upstream_failed';
}
