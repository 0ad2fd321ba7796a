import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import {
  type Claim,
  type Finish,
  InvocationStore,
} from '../tool-invocations/invocation.store';
import { ended, endingOf, failedEnding, stoppedEnding } from './ending';
import { Follow } from './follow';
import type { StopReason } from './held-runs';
import type { ResearchArguments } from './research.arguments';
import { RunJournal, RunLost } from './run.journal';
import { Submit } from './submit';

/** How long an endpoint may take to acknowledge that a run is to stop. */
const CANCEL_MS = 10_000;
/** A purchase that is under way when the run is to stop may still say what it bought. */
const SUBMIT_GRACE_MS = 7_000;

/** Carries a run from whatever point its record has reached to its end. */
@Injectable()
export class ResearchEngine {
  constructor(
    private readonly store: InvocationStore,
    private readonly submit: Submit,
    private readonly follow: Follow,
    private readonly config: AppConfig,
  ) {}

  /**
   * Answers how the run ended; `handed_back` if another worker shall go on, `lost` if one already does.
   * `signal` aborts with a StopReason.
   */
  async run(
    claim: Claim,
    signal: AbortSignal,
  ): Promise<Finish | 'handed_back' | 'lost'> {
    const journal = new RunJournal(this.store, claim);
    const run = { upstreamId: claim.fields.upstream_id };
    try {
      const bought = run.upstreamId
        ? { upstreamId: run.upstreamId }
        : await this.buy(claim, journal, signal, (id) => (run.upstreamId = id));
      signal.throwIfAborted();
      return await endingOf(
        await this.follow.toEnd(bought, journal, signal),
        journal,
      );
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      if (signal.aborted)
        return this.stop(signal.reason as StopReason, run.upstreamId, journal);
      if (!(error instanceof AppError)) throw error;
      if (run.upstreamId) await this.cancelUpstream(run.upstreamId);
      return failedEnding(error, journal);
    }
  }

  /** Ends a run that is not to be carried on, upstream included. */
  async abandon(claim: Claim): Promise<Finish> {
    if (claim.fields.upstream_id)
      await this.cancelUpstream(claim.fields.upstream_id);
    return ended('failed', 'worker_crashed_repeatedly', {});
  }

  private async buy(
    claim: Claim,
    journal: RunJournal,
    signal: AbortSignal,
    adopted: (id: string) => void,
  ) {
    signal.throwIfAborted();
    // An intent without a result: a worker died while it bought, and only the upstream knows what came of it.
    if (claim.fields.attempt && this.config.research.ambiguousSubmit === 'fail')
      throw new AppError('ambiguous_submit');
    const grace = graceAfter(signal, SUBMIT_GRACE_MS);
    const args = JSON.parse(claim.fields.args) as ResearchArguments;
    const bought = await this.submit
      .buy(claim.id, args, journal, signal, grace)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    try {
      const holds = await journal.adopt(bought.upstreamId);
      adopted(holds);
      if (holds === bought.upstreamId) return bought;
      await this.cancelUpstream(bought.upstreamId);
      return { upstreamId: holds };
    } catch (error) {
      // Bought for a run that is somebody else's by now: nobody would ever read it.
      if (error instanceof RunLost)
        await this.cancelUpstream(bought.upstreamId);
      throw error;
    }
  }

  private async stop(
    reason: StopReason,
    upstreamId: string,
    journal: RunJournal,
  ): Promise<Finish | 'handed_back' | 'lost'> {
    if (reason === 'lost') return 'lost';
    if (reason === 'shutdown') return 'handed_back';
    const response = upstreamId
      ? await this.cancelUpstream(upstreamId)
      : undefined;
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

  private cancelUpstream(upstreamId: string) {
    return this.follow.cancel(upstreamId, AbortSignal.timeout(CANCEL_MS));
  }
}

/** Aborts `ms` after `signal` does, with its reason. */
function graceAfter(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener(
    'abort',
    () => setTimeout(() => controller.abort(signal.reason), ms).unref(),
    { once: true },
  );
  return controller.signal;
}
