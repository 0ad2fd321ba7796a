import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppError } from '../../errors';
import { backoff, pause } from '../../llm/upstream/retry';
import {
  type StreamReply,
  UpstreamClient,
} from '../../llm/upstream/upstream.client';
import { UpstreamError } from '../../llm/upstream/upstream.error';
import { ASKING, RateLimitCooldown } from './purchase/rate-limit.cooldown';
import type { HostedRunWriter } from './hosted-run.writer';
import { waitAfter } from './wait';

const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 10_000;
/** Asking is cheap, so that no wish of the endpoint delays it for longer. */
const WAIT_MOST_MS = 60_000;
/** A gateway may refuse in passing what it knows very well, and a run that was paid for is lost by that. */
const MOST_REFUSALS = 3;
/** Over a connection that is dead without knowing it no answer ever comes. */
const ASK_MS = 20_000;
/** How often the pace that all asking shares is looked at. */
const PACE_MS = 1_000;

/** What can be asked of a run that was bought: how it stands, its stream, and its end. None of it costs anything. */
@Injectable()
export class ResponsesClient {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly brake: RateLimitCooldown,
  ) {}

  /**
   * Asks for the response until there is an answer. A blip is no answer; the same definite refusal again and again is.
   * @param journal where waits are noted.
   */
  async ask(
    upstreamId: string,
    signal: AbortSignal,
    journal?: HostedRunWriter,
  ): Promise<Response> {
    for (let attempt = 0, refusals = 0; ; attempt += 1) {
      await this.brake.pass(ASKING, signal, PACE_MS, (ms) =>
        journal?.waits('limited', ms),
      );
      try {
        const response = await patiently(signal, (patience) =>
          this.upstream.json<Response>({
            method: 'GET',
            path: pathOf(upstreamId),
            signal: patience,
          }),
        );
        if (response) return response;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        refusals = error.definite ? refusals + 1 : 0;
        if (refusals === MOST_REFUSALS) throw refusalOf(error);
        const ms = Math.min(
          error.fault.retryAfterMs ??
            backoff(attempt, RETRY_FIRST_MS, RETRY_MOST_MS),
          WAIT_MOST_MS,
        );
        if (error.fault.status === 429) await this.brake.hit(ASKING, ms);
        else {
          // One failure is soon forgotten.
          if (attempt > 0) await journal?.waits(waitAfter(error), ms);
          await pause(ms, signal);
        }
        signal.throwIfAborted();
      }
    }
  }

  /** Stops the upstream's run. Answers what became of it, if the upstream says so. */
  async cancel(
    upstreamId: string,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    if (!(await this.stop(upstreamId, signal))) return undefined;
    return this.ask(upstreamId, signal).catch(() => undefined);
  }

  /** Asks the upstream to stop until it answers. False: `signal` was first. */
  async stop(upstreamId: string, signal: AbortSignal): Promise<boolean> {
    const path = `${pathOf(upstreamId)}/cancel`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.upstream.json({ method: 'POST', path, signal });
        return true;
      } catch (error) {
        if (!(error instanceof UpstreamError)) return false;
        // A run that has ended in the meantime cannot be cancelled; how it ended is asked next.
        if (error.definite) return true;
        await pause(backoff(attempt, RETRY_FIRST_MS, RETRY_MOST_MS), signal);
      }
    }
  }

  /**
   * Has the upstream forget it.
   * @throws UpstreamError, or the signal's reason.
   */
  async remove(upstreamId: string, signal: AbortSignal): Promise<void> {
    const path = pathOf(upstreamId);
    await this.upstream.json({ method: 'DELETE', path, signal });
  }

  /**
   * Its stream, from after event `seq` or from the start; undefined if there was no answer in time.
   * @throws UpstreamError
   */
  stream(
    upstreamId: string,
    seq: number | undefined,
    signal: AbortSignal,
  ): Promise<StreamReply<ResponseStreamEvent> | undefined> {
    const after = seq === undefined ? '' : `&starting_after=${seq}`;
    const path = `${pathOf(upstreamId)}?stream=true${after}`;
    return patiently(signal, (patience) =>
      this.upstream.stream({ method: 'GET', path, signal: patience }),
    );
  }
}

function refusalOf(error: UpstreamError): AppError {
  if (error.fault.status !== 404) return error;
  return new AppError('upstream_response_gone', undefined, { cause: error });
}

/** What a call answers that is given up after a while; undefined if it was. Its answer may take as long as `signal` lets it. */
async function patiently<T>(
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ASK_MS);
  try {
    return await call(AbortSignal.any([signal, patience.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (patience.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function pathOf(upstreamId: string): string {
  return `/responses/${encodeURIComponent(upstreamId)}`;
}
