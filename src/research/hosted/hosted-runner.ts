import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { isFinal } from '../../llm/upstream/upstream-cause';
import { UpstreamError } from '../../llm/upstream/upstream-error';
import { report } from '../../platform/metrics/facts';
import { WorkerSignals } from '../../runs/queue/worker-signals';
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
import { HostedBilling } from './billing';
import { HostedRunWriter } from './record/hosted-run-writer';
import { Adoption } from './purchase/adoption';
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

/** Carries a run on to its end, from the step that its record has reached. */
@Injectable()
export class HostedRunner implements ResearchEngine {
  readonly name = 'hosted';
  constructor(
    private readonly store: RunStore,
    private readonly adoption: Adoption,
    private readonly purchases: PurchaseStore,
    private readonly purchase: Purchase,
    private readonly protocols: ResearchProtocols,
    private readonly endings: HostedEndings,
    private readonly signals: WorkerSignals,
    private readonly phases: TwoPhase,
    private readonly billing: HostedBilling,
    private readonly config: AppConfig,
  ) {}

  async run(claim: Claim<HostedField>, run: ActiveRun): Promise<Outcome> {
    const writer = new HostedRunWriter(this.store, this.purchases, claim);
    const outcome = await this.carry(claim, writer, run);
    const hasEnded = typeof outcome === 'object' && 'status' in outcome;
    return hasEnded ? this.billing.billed(outcome, writer) : outcome;
  }

  private async carry(
    claim: Claim<HostedField>,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Outcome> {
    const { fields } = claim;
    // The fields may be large, and a run may take an hour.
    claim.fields = { tool: '', mode: '', args: '', tokens: '', seq: '' };
    const { upstreamId } = writer;
    try {
      const purchased = upstreamId
        ? { upstreamId, background: true }
        : await this.begin(claim, fields, writer, run);
      if (!('upstreamId' in purchased)) return purchased;
      run.signal.throwIfAborted();
      const protocol = this.protocols.owning(purchased.upstreamId);
      const end = await protocol.toEnd(purchased, writer, run);
      if (end instanceof Rescheduled) return end;
      return await this.endings.of(end, writer);
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      if (run.signal.aborted) return this.stop(run, writer);
      if (!(error instanceof AppError)) throw error;
      await this.cancel(writer);
      return failedEnding(error, writer);
    }
  }

  /** Ends a run that has crashed its workers, at the upstream as well. Never reads the response, which may be the cause. */
  async abandon(claim: Claim<HostedField>): Promise<Finish> {
    const writer = new HostedRunWriter(this.store, this.purchases, claim);
    const { id, upstreamId, phase } = writer;
    if (phase !== '') await this.phases.cancelPublicPhase(id);
    const limit = AbortSignal.timeout(CANCEL_MS);
    if (upstreamId)
      await this.protocols
        .owning(upstreamId)
        .requestCancel({ id, upstreamId }, limit);
    return this.billing.billed(
      ended('failed', 'worker_crashed_repeatedly'),
      writer,
    );
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
        const upstreamId = await this.adoption.wait(claim, run);
        writer.upstreamId = upstreamId;
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
        // The endpoint reports a cause with which another attempt would fail as well.
        if (error.definite || isFinal(error.code)) throw error;
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

  private async stop(
    run: ActiveRun,
    writer: HostedRunWriter,
  ): Promise<Outcome> {
    const { upstreamId } = writer;
    const reason = run.signal.reason as StopReason;
    if (reason === 'lost') return 'lost';
    if (reason === 'shutdown')
      return this.release(run, upstreamId !== undefined);
    if (reason === 'deadline' && !upstreamId && writer.hasOpenAttempt)
      return ended('failed', 'ambiguous_submit');
    const response = await this.cancel(writer);
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
  private async cancel({
    id,
    upstreamId,
    phase,
  }: HostedRunWriter): Promise<Response | undefined> {
    if (upstreamId) return this.cancelUpstream({ id, upstreamId });
    if (phase !== '') await this.phases.cancelPublicPhase(id);
    return undefined;
  }

  private cancelUpstream(bought: BoughtRun): Promise<Response | undefined> {
    const limit = AbortSignal.timeout(CANCEL_MS);
    return this.protocols.owning(bought.upstreamId).cancel(bought, limit);
  }
}
