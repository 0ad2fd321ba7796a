import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { UpstreamError } from '../../llm/upstream/upstream-error';
import { report } from '../../platform/metrics/facts';
import { WorkerSignals } from '../../runs/queue/worker-signals';
import { RunReader } from '../../runs/store/run-reader';
import { type Claim, type Finish, RunStore } from '../../runs/store/run.store';
import { failedEnding, HostedEndings } from './ending';
import type { ActiveRun, StopReason } from '../../runs/worker/active-run';
import {
  ended,
  type Outcome,
  Rescheduled,
} from '../../runs/worker/run-outcome';
import { findingsIn, withFindings } from './record/public-findings';
import { rescheduled } from './poll-interval';
import {
  argumentsIn,
  type ResearchArguments,
} from '../arguments/research-arguments';
import type { ResearchEngine } from '../research-engine';
import { RunLost } from '../../runs/worker/run-writer';
import { graceAfter } from '../../runs/record/time-limit';
import { HostedRunWriter } from './record/hosted-run-writer';
import { Purchase } from './purchase/purchase';
import type { BoughtRun, PurchasedRun } from './research-protocol';
import { ResearchProtocols } from './protocol-registry';
import { PurchaseStore } from './record/purchase.store';
import type { HostedField } from './record/hosted-run-fields';
import { TwoPhase } from './two-phase/two-phase';

/** How long an endpoint may take to acknowledge that a run is to stop. */
const CANCEL_MS = 10_000;
/** A create in flight when the run stops may still return the id of what it purchased. */
const PURCHASE_GRACE_MS = 7_000;
/** How often `RELAY_AMBIGUOUS_SUBMIT=resubmit` repeats a create at the most. */
const MAX_RESUBMITS = 2;
/** How often the record is read for an id that a webhook has stored; the worker's signal is faster. */
const ADOPTION_POLL_MS = 10_000;

/** Carries a run on to its end, from the step that its record has reached. */
@Injectable()
export class HostedRunner implements ResearchEngine {
  readonly name = 'hosted';
  constructor(
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly purchases: PurchaseStore,
    private readonly purchase: Purchase,
    private readonly protocols: ResearchProtocols,
    private readonly endings: HostedEndings,
    private readonly signals: WorkerSignals,
    private readonly phases: TwoPhase,
    private readonly config: AppConfig,
  ) {}

  async run(claim: Claim<HostedField>, run: ActiveRun): Promise<Outcome> {
    const writer = new HostedRunWriter(this.store, this.purchases, claim);
    const { fields } = claim;
    // The fields may be large, and a run may take an hour.
    claim.fields = { tool: '', mode: '', args: '', tokens: '', seq: '' };
    let upstreamId: string | undefined = fields.upstream_id;
    try {
      const purchased = upstreamId
        ? { upstreamId, background: true }
        : await this.begin(claim, fields, writer, run);
      if (!('upstreamId' in purchased)) return purchased;
      ({ upstreamId } = purchased);
      run.signal.throwIfAborted();
      const protocol = this.protocols.owning(upstreamId);
      const end = await protocol.toEnd(purchased, writer, run);
      if (end instanceof Rescheduled) return end;
      return await this.endings.of(end, writer);
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      upstreamId ||= writer.upstreamId;
      if (run.signal.aborted) return this.stop(run, upstreamId, writer);
      if (!(error instanceof AppError)) throw error;
      await this.cancel(run, upstreamId, writer);
      return failedEnding(error, writer);
    }
  }

  /** Ends a run that has crashed its workers, at the upstream as well. Never reads the response, which may be the cause. */
  async abandon({ id, fields }: Claim<HostedField>): Promise<Finish> {
    if (fields.phase) await this.phases.cancelPublicPhase(id);
    const upstreamId = fields.upstream_id;
    const limit = AbortSignal.timeout(CANCEL_MS);
    if (upstreamId)
      await this.protocols
        .owning(upstreamId)
        .requestCancel({ id, upstreamId }, limit);
    return ended('failed', 'worker_crashed_repeatedly');
  }

  /** Advances the public phase if there is one that has not ended, else purchases the run. */
  private async begin(
    claim: Claim<HostedField>,
    fields: Claim<HostedField>['fields'],
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<PurchasedRun | Finish | Rescheduled> {
    const [args, found] = [argumentsIn(fields), findingsIn(fields)];
    if (args.data_sources === 'web_then_private' && !found) {
      run.signal.throwIfAborted();
      const outcome = await this.phases.advance(claim, fields, writer, run);
      run.signal.throwIfAborted();
      return outcome;
    }
    return this.purchaseRun(claim, withFindings(args, found), writer, run);
  }

  /** Purchases the run. After an attempt of unknown outcome it waits for the id, and purchases again only if the policy says so. */
  private async purchaseRun(
    claim: Claim,
    args: ResearchArguments,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<PurchasedRun> {
    const grace = graceAfter(run.signal, PURCHASE_GRACE_MS).signal;
    for (let resubmits = 0; ; resubmits += 1) {
      run.signal.throwIfAborted();
      // An attempt without a result: only the upstream knows its outcome.
      if (writer.hasOpenAttempt) {
        const upstreamId = await this.awaitAdoption(claim, run);
        if (upstreamId) return { upstreamId, background: true };
        const { ambiguousSubmit } = this.config.research;
        if (ambiguousSubmit === 'fail' || resubmits > MAX_RESUBMITS)
          throw new AppError('ambiguous_submit');
      }
      try {
        const purchased = await this.purchase.create(
          claim.id,
          args,
          writer,
          run,
          grace,
        );
        return await this.adopt(claim.id, purchased, writer, grace);
      } catch (error) {
        run.signal.throwIfAborted();
        if (!(error instanceof UpstreamError) || error.effect === 'none')
          throw error;
      }
    }
  }

  /** Records the purchase before anything else is done with it. */
  private async adopt(
    id: string,
    purchased: PurchasedRun,
    writer: HostedRunWriter,
    signal: AbortSignal,
  ): Promise<PurchasedRun> {
    try {
      const recorded = await writer.adopt(purchased.upstreamId, signal);
      const isOwn = recorded === purchased.upstreamId;
      const outcome = isOwn ? 'adopted' : 'duplicate';
      report('purchase_settled', { outcome });
      if (isOwn) return purchased;
      purchased.stream?.close();
      await this.cancelUpstream({ id, upstreamId: purchased.upstreamId });
      return { upstreamId: recorded, background: true };
    } catch (error) {
      purchased.stream?.close();
      if (error instanceof RunLost) await this.passOn(id, purchased);
      throw error;
    }
  }

  /** Gives the purchase to the worker that has taken the run over, if that one waits for it; cancels it otherwise. */
  private async passOn(
    id: string,
    { upstreamId, attemptId = '' }: PurchasedRun,
  ): Promise<void> {
    const { outcome } = await this.purchases.adoptLost(
      id,
      attemptId,
      upstreamId,
    );
    if (outcome === 'adopted' || outcome === 'known')
      await this.signals.send('news', id);
    else await this.cancelUpstream({ id, upstreamId });
  }

  /** Waits for a webhook to bring the id of an attempt of unknown outcome; for half of the time left if the policy purchases again. */
  private async awaitAdoption(
    { id, remainingMs }: Claim,
    run: ActiveRun,
  ): Promise<string | undefined> {
    const { upstream, research } = this.config;
    if (upstream.webhookSecrets.length === 0) return undefined;
    const waitMs =
      research.ambiguousSubmit === 'fail' ? Infinity : remainingMs / 2;
    const until = performance.now() + waitMs;
    for (;;) {
      const { upstreamId } = (await this.reader.read(id)) ?? {};
      const leftMs = until - performance.now();
      if (upstreamId || leftMs <= 0) return upstreamId ?? undefined;
      await run.rest(Math.min(leftMs, ADOPTION_POLL_MS));
      run.signal.throwIfAborted();
    }
  }

  private async stop(
    run: ActiveRun,
    upstreamId: string | undefined,
    writer: HostedRunWriter,
  ): Promise<Outcome> {
    const reason = run.signal.reason as StopReason;
    if (reason === 'lost') return 'lost';
    if (reason === 'shutdown')
      return this.release(run, upstreamId !== undefined);
    if (reason === 'deadline' && !upstreamId && writer.hasOpenAttempt)
      return ended('failed', 'ambiguous_submit');
    const response = await this.cancel(run, upstreamId, writer);
    try {
      return await this.endings.stopped(
        reason === 'cancel' ? 'cancelled' : 'research_timeout',
        response,
        writer,
      );
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      if (error instanceof AppError) return failedEnding(error, writer);
      throw error;
    }
  }

  /** Lets another worker continue: at once if the run has a subscriber or is not purchased yet, else at its next poll. */
  private release(run: ActiveRun, purchased: boolean): Rescheduled {
    return purchased && !run.attended ? rescheduled(run) : new Rescheduled(0);
  }

  /** Cancels the upstream's run, or the public phase. Returns the final response, if there is one. */
  private async cancel(
    { id }: ActiveRun,
    upstreamId: string | undefined,
    { phase }: HostedRunWriter,
  ): Promise<Response | undefined> {
    if (upstreamId) return this.cancelUpstream({ id, upstreamId });
    if (phase !== '') await this.phases.cancelPublicPhase(id);
    return undefined;
  }

  private cancelUpstream(bought: BoughtRun): Promise<Response | undefined> {
    const limit = AbortSignal.timeout(CANCEL_MS);
    return this.protocols.owning(bought.upstreamId).cancel(bought, limit);
  }
}
