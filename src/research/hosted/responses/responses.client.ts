import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppError } from '../../../platform/errors';
import { report } from '../../../platform/metrics/facts';
import { pause, pauseAfter } from '../../../platform/pause';
import {
  type StreamReply,
  UpstreamClient,
} from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import { POLLING, RateLimitCooldown } from '../rate-limit-cooldown';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import { waitReasonOf } from '../record/progress-steps';

/** A retrieve is cheap, so no `retry-after` delays the next one for longer than a minute. */
const PACE = { firstMs: 1_000, maxMs: 10_000, askedMs: 60_000 };
/** Refusals in a row that end a run: one alone may be a passing fault of a gateway, and the run is paid for. */
const MAX_REFUSALS = 3;
/** The limit for a reply to begin: on a half-open connection none ever does. */
const REPLY_MS = 20_000;
/** How old the last check of the cooldown that all polls share may be. */
const COOLDOWN_STALE_MS = 1_000;

/** The calls for a purchased run: retrieve, stream, cancel, delete. None of them costs anything. */
@Injectable()
export class ResponsesClient {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly cooldown: RateLimitCooldown,
  ) {}

  /**
   * Retrieves the response, and retries until there is a reply or the endpoint has refused several times in a row.
   * @param writer reports waits.
   */
  async retrieve(
    upstreamId: string,
    signal: AbortSignal,
    writer?: HostedRunWriter,
  ): Promise<Response> {
    for (let attempt = 0, refusals = 0; ; attempt += 1) {
      await this.cooldown.wait(POLLING, signal, COOLDOWN_STALE_MS, (ms) =>
        writer?.reportWait('limited', ms),
      );
      report('polled', {});
      try {
        const response = await withReplyLimit(signal, (limited) =>
          this.upstream.json<Response>({
            method: 'GET',
            path: pathOf(upstreamId),
            signal: limited,
          }),
        );
        if (response) return response;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        refusals = error.definite ? refusals + 1 : 0;
        if (refusals === MAX_REFUSALS) throw refusalOf(error);
        const ms = pauseAfter(attempt, PACE, error.fault.retryAfterMs);
        if (error.fault.status === 429) await this.cooldown.start(POLLING, ms);
        else {
          // A single failure is not reported.
          if (attempt > 0) await writer?.reportWait(waitReasonOf(error), ms);
          await pause(ms, signal);
        }
        signal.throwIfAborted();
      }
    }
  }

  /** Stops the upstream's run. Returns its response, if the upstream gives it. */
  async cancel(
    upstreamId: string,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    if (!(await this.requestCancel(upstreamId, signal))) return undefined;
    return this.retrieve(upstreamId, signal).catch(() => undefined);
  }

  /** Requests the cancellation until the upstream replies. False: `signal` aborted first. */
  async requestCancel(
    upstreamId: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const path = `${pathOf(upstreamId)}/cancel`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.upstream.json({ method: 'POST', path, signal });
        return true;
      } catch (error) {
        if (!(error instanceof UpstreamError)) return false;
        // A run that has already ended cannot be cancelled; its end is retrieved next.
        if (error.definite) return true;
        await pause(pauseAfter(attempt, PACE), signal);
      }
    }
  }

  /**
   * Deletes the response at the upstream.
   * @throws UpstreamError, or the signal's reason.
   */
  async delete(upstreamId: string, signal: AbortSignal): Promise<void> {
    const path = pathOf(upstreamId);
    await this.upstream.json({ method: 'DELETE', path, signal });
  }

  /**
   * Opens the stream after event `seq`, or from the start; undefined if no reply began in time.
   * @throws UpstreamError
   */
  stream(
    upstreamId: string,
    seq: number | undefined,
    signal: AbortSignal,
  ): Promise<StreamReply<ResponseStreamEvent> | undefined> {
    const after = seq === undefined ? '' : `&starting_after=${seq}`;
    const path = `${pathOf(upstreamId)}?stream=true${after}`;
    return withReplyLimit(signal, (limited) =>
      this.upstream.stream({ method: 'GET', path, signal: limited }),
    );
  }
}

function refusalOf(error: UpstreamError): AppError {
  if (error.fault.status !== 404) return error;
  return new AppError('upstream_response_gone', undefined, { cause: error });
}

/** The result of a call, or undefined if its reply does not begin in time. A reply that has begun is limited by `signal` alone. */
async function withReplyLimit<T>(
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), REPLY_MS);
  try {
    return await call(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function pathOf(upstreamId: string): string {
  return `/responses/${encodeURIComponent(upstreamId)}`;
}
