import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppConfig } from '../../config/config';
import { AppError } from '../../errors';
import { UpstreamError } from '../../llm/upstream/upstream.error';
import type { ClaimedFields } from '../../runs/record/run.fields';
import type { Claim, Finish } from '../../runs/record/run.store';
import { WorkerSignals } from '../../runs/events/worker-signals';
import { RunReader } from '../../runs/record/run.reader';
import { RunStore } from '../../runs/record/run.store';
import { CompletionRun, isHeldOnly } from './completions/completion.run';
import { endingOf, failedEnding, stoppedEnding } from './ending';
import { Follow } from './follow';
import type { ActiveRun, StopReason } from '../../runs/worker/active-run';
import {
  ended,
  type Outcome,
  Rescheduled,
} from '../../runs/worker/run.outcome';
import { findingsIn, withFindings } from './two-phase/public-findings';
import { parkedFor } from './poll-interval';
import type { ResearchArguments } from '../research.arguments';
import { ResponsesClient } from './responses.client';
import { RunLost } from '../../runs/worker/run.writer';
import { graceAfter } from '../../runs/time-limit';
import { HostedRunWriter } from './hosted-run.writer';
import { type Bought, Purchase } from './purchase/purchase';
import { PurchaseStore } from './purchase/purchase.store';
import type { HostedField } from './hosted-run.fields';
import { TwoPhase } from './two-phase/two-phase';

/** How long an endpoint may take to acknowledge that a run is to stop. */
const CANCEL_MS = 10_000;
/** A purchase that is under way when the run is to stop may still say what it bought. */
const SUBMIT_GRACE_MS = 7_000;
/** How often `RELAY_AMBIGUOUS_SUBMIT=resubmit` buys again at the most. */
const MAX_RESUBMITS = 2;
/** How often to look whether a webhook has told what came of a purchase; the bell is faster. */
const ADOPTION_LOOK_MS = 10_000;

/** Carries a run from whatever point its record has reached to its end. */
@Injectable()
export class HostedRunner {
  constructor(
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly purchases: PurchaseStore,
    private readonly submit: Purchase,
    private readonly follow: Follow,
    private readonly completions: CompletionRun,
    private readonly responses: ResponsesClient,
    private readonly signals: WorkerSignals,
    private readonly phases: TwoPhase,
    private readonly config: AppConfig,
  ) {}

  async run(claim: Claim<HostedField>, run: ActiveRun): Promise<Outcome> {
    const journal = new HostedRunWriter(this.store, this.purchases, claim);
    const { fields } = claim;
    // They may be large, and a run may take an hour.
    claim.fields = { tool: '', mode: '', args: '', tokens: '', seq: '' };
    let upstreamId: string | undefined = fields.upstream_id;
    try {
      const bought = upstreamId
        ? { upstreamId, background: true }
        : await this.begin(claim, fields, journal, run);
      if (!('upstreamId' in bought)) return bought;
      ({ upstreamId } = bought);
      run.signal.throwIfAborted();
      const follow = isHeldOnly(upstreamId) ? this.completions : this.follow;
      const end = await follow.toEnd(bought, journal, run);
      return end instanceof Rescheduled ? end : await endingOf(end, journal);
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      upstreamId ||= journal.upstreamId;
      if (run.signal.aborted) return this.stop(run, upstreamId, journal);
      if (!(error instanceof AppError)) throw error;
      await this.callOff(run, upstreamId, journal);
      return failedEnding(error, journal);
    }
  }

  /** Ends a run that is not to be carried on, upstream included. Never reads the response: it may be what kills. */
  async abandon({ id, fields }: Claim<HostedField>): Promise<Finish> {
    if (fields.phase) await this.phases.callOff(id);
    if (fields.upstream_id && !isHeldOnly(fields.upstream_id))
      await this.responses.stop(
        fields.upstream_id,
        AbortSignal.timeout(CANCEL_MS),
      );
    return ended('failed', 'worker_crashed_repeatedly');
  }

  /** Goes on with the public phase if there is one and it has not ended, else buys. */
  private async begin(
    claim: Claim<HostedField>,
    fields: ClaimedFields<HostedField>,
    journal: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Bought | Finish | Rescheduled> {
    const args = JSON.parse(fields.args) as ResearchArguments;
    const found = findingsIn(fields);
    if (args.data_sources === 'web_then_private' && !found) {
      run.signal.throwIfAborted();
      const outcome = await this.phases.advance(claim, fields, journal, run);
      run.signal.throwIfAborted();
      return outcome;
    }
    return this.buy(claim, withFindings(args, found), journal, run);
  }

  /** Buys the run. What was perhaps bought already is looked for first, and bought again only if the policy says so. */
  private async buy(
    claim: Claim,
    args: ResearchArguments,
    journal: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Bought> {
    const grace = graceAfter(run.signal, SUBMIT_GRACE_MS).signal;
    for (let resubmits = 0; ; resubmits += 1) {
      run.signal.throwIfAborted();
      // An intent without a result: only the upstream knows what came of it.
      if (journal.attempted) {
        const upstreamId = await this.adoption(claim, run);
        if (upstreamId) return { upstreamId, background: true };
        const { ambiguousSubmit } = this.config.research;
        if (ambiguousSubmit === 'fail' || resubmits > MAX_RESUBMITS)
          throw new AppError('ambiguous_submit');
      }
      try {
        const bought = await this.submit.buy(
          claim.id,
          args,
          journal,
          run,
          grace,
        );
        return await this.adopt(claim.id, bought, journal, grace);
      } catch (error) {
        run.signal.throwIfAborted();
        if (!(error instanceof UpstreamError) || error.effect === 'none')
          throw error;
      }
    }
  }

  /** Notes the purchase before anything else is done with it. */
  private async adopt(
    id: string,
    bought: Bought,
    journal: HostedRunWriter,
    signal: AbortSignal,
  ): Promise<Bought> {
    try {
      const holds = await journal.adopt(bought.upstreamId, signal);
      if (holds === bought.upstreamId) return bought;
      bought.stream?.close();
      await this.cancelUpstream(bought.upstreamId);
      return { upstreamId: holds, background: true };
    } catch (error) {
      bought.stream?.close();
      if (error instanceof RunLost) await this.giveAway(id, bought);
      throw error;
    }
  }

  /** Bought for a run that is somebody else's by now. Who still waits for its name gets it; else nobody would ever read it. */
  private async giveAway(
    id: string,
    { upstreamId, attemptId = '' }: Bought,
  ): Promise<void> {
    const { outcome } = await this.purchases.adoptLost(
      id,
      attemptId,
      upstreamId,
    );
    if (outcome === 'adopted' || outcome === 'known')
      await this.signals.send('news', id);
    else await this.cancelUpstream(upstreamId);
  }

  /** The run that a webhook says was bought after all. Under the policy that buys again, half of the time is left for that. */
  private async adoption(
    { id, remainingMs }: Claim,
    run: ActiveRun,
  ): Promise<string | undefined> {
    const { upstream, research } = this.config;
    if (upstream.webhookSecrets.length === 0) return undefined;
    const patienceMs =
      research.ambiguousSubmit === 'fail' ? Infinity : remainingMs / 2;
    const until = performance.now() + patienceMs;
    for (;;) {
      const { upstreamId } = (await this.reader.read(id)) ?? {};
      const leftMs = until - performance.now();
      if (upstreamId || leftMs <= 0) return upstreamId ?? undefined;
      await run.rest(Math.min(leftMs, ADOPTION_LOOK_MS));
      run.signal.throwIfAborted();
    }
  }

  private async stop(
    run: ActiveRun,
    upstreamId: string | undefined,
    journal: HostedRunWriter,
  ): Promise<Outcome> {
    const reason = run.signal.reason as StopReason;
    if (reason === 'lost') return 'lost';
    if (reason === 'shutdown')
      return this.handOver(run, upstreamId !== undefined);
    if (reason === 'deadline' && !upstreamId && journal.attempted)
      return ended('failed', 'ambiguous_submit');
    const response = await this.callOff(run, upstreamId, journal);
    try {
      return await stoppedEnding(
        reason === 'cancel' ? 'cancelled' : 'research_timeout',
        response,
        journal,
      );
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      if (error instanceof AppError) return failedEnding(error, journal);
      throw error;
    }
  }

  /** Another worker goes on: at once if anybody attends to the run or it is yet to be bought, else when it is due. */
  private handOver(run: ActiveRun, bought: boolean): Rescheduled {
    return bought && !run.attended ? parkedFor(run) : new Rescheduled(0);
  }

  /** Stops what goes on for it elsewhere. Answers what became of its response, if there was one. */
  private async callOff(
    { id }: ActiveRun,
    upstreamId: string | undefined,
    { phase }: HostedRunWriter,
  ): Promise<Response | undefined> {
    if (upstreamId) return this.cancelUpstream(upstreamId);
    if (phase !== '') await this.phases.callOff(id);
    return undefined;
  }

  /** A run that lives in its connection alone ends with that. */
  private async cancelUpstream(
    upstreamId: string,
  ): Promise<Response | undefined> {
    if (isHeldOnly(upstreamId)) return undefined;
    return this.responses.cancel(upstreamId, AbortSignal.timeout(CANCEL_MS));
  }
}
