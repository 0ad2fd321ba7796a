import { Injectable, Logger } from '@nestjs/common';
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
import {
  frameError,
  UpstreamError,
} from '../../../llm/upstream/upstream-error';
import { isObject } from '../../../platform/message/call-arguments';
import { POLLING, RateLimitCooldown } from '../rate-limit-cooldown';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import { waitReasonOf } from '../../../llm/upstream/endpoint-wait';
import type { BoughtRun } from '../research-protocol';
import { belongsTo } from './response-identity';

/** A retrieve is cheap, so no `retry-after` delays the next one for longer than a minute. */
const PACE = { firstMs: 1_000, maxMs: 10_000, askedMs: 60_000 };
/** Refusals in a row that end a run: one alone may be a passing fault of a gateway, and the run is paid for. */
const MAX_REFUSALS = 3;
/** Replies in a row that are no responses, after which a run ends: with the pauses between them about five minutes. */
const MAX_UNREADABLE = 30;
/** The limit for a reply to begin: on a half-open connection none ever does. */
const REPLY_MS = 20_000;
/** How old the last check of the cooldown that all polls share may be. */
const COOLDOWN_STALE_MS = 1_000;

/** The calls for a purchased run: retrieve, stream, cancel, delete. None of them costs anything. */
@Injectable()
export class ResponsesClient {
  private readonly log = new Logger('HostedTools');

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly cooldown: RateLimitCooldown,
  ) {}

  /**
   * Retrieves the response, and retries until there is a reply with it, or the endpoint has refused several times in a row,
   * or replied many times in a row with something else.
   * @param writer reports waits.
   */
  async retrieve(
    bought: BoughtRun,
    signal: AbortSignal,
    writer?: HostedRunWriter,
  ): Promise<Response> {
    for (let attempt = 0, refusals = 0, unreadable = 0; ; attempt += 1) {
      await this.cooldown.wait(POLLING, signal, COOLDOWN_STALE_MS, (ms) =>
        writer?.reportWait('limited', ms),
      );
      report('polled', {});
      try {
        const response = await withReplyLimit(signal, (limited) =>
          this.upstream.json<unknown>({
            method: 'GET',
            path: pathOf(bought.upstreamId),
            signal: limited,
          }),
        );
        if (response !== undefined)
          return this.checked(responseIn(response), bought);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        refusals = error.definite ? refusals + 1 : 0;
        unreadable = error.unreadable ? unreadable + 1 : 0;
        if (refusals === MAX_REFUSALS) throw refusalOf(error);
        if (unreadable === MAX_UNREADABLE)
          throw new AppError('upstream_error', UNREADABLE, { cause: error });
        const ms = pauseAfter(attempt, PACE, error.fault.retryAfterMs);
        if (error.fault.status === 429) await this.cooldown.start(POLLING, ms);
        else {
          // A single failure is not reported; a reply that is no response rarely is one.
          if (attempt > 0 || error.unreadable)
            await writer?.reportWait(waitReasonOf(error), ms);
          await pause(ms, signal);
        }
        signal.throwIfAborted();
      }
    }
  }

  /** Stops the upstream's run. Returns its response, if the upstream gives it. */
  async cancel(
    bought: BoughtRun,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    if (!(await this.requestCancel(bought, signal))) return undefined;
    return this.retrieve(bought, signal).catch(() => undefined);
  }

  /** Requests the cancellation until the upstream replies. False: `signal` aborted first. */
  async requestCancel(
    bought: BoughtRun,
    signal: AbortSignal,
  ): Promise<boolean> {
    const path = `${pathOf(bought.upstreamId)}/cancel`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const call = { method: 'POST', path, signal } as const;
        this.checked(await this.upstream.json(call), bought);
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
   * Deletes the response at the upstream, at most twice: a reply that names another response may not have done it.
   * @throws UpstreamError, or the signal's reason.
   */
  async delete(upstreamId: string, signal: AbortSignal): Promise<void> {
    const call = {
      method: 'DELETE',
      path: pathOf(upstreamId),
      signal,
    } as const;
    const reply = await this.upstream.json(call);
    if (!belongsTo({ upstreamId }, reply)) await this.upstream.json(call);
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

  /** @throws UpstreamError for the response of another run. */
  private checked<T>(response: T, bought: BoughtRun): T {
    if (belongsTo(bought, response)) return response;
    this.log.warn(
      `The model endpoint answered with a response of another run than ${bought.id}`,
    );
    throw new UpstreamError('upstream_error', 'unknown');
  }
}

const UNREADABLE = 'The model endpoint answers with what is not a response.';

/** @throws UpstreamError for a reply that is none, such as a report of an error. */
function responseIn(reply: unknown): Response {
  const error = isObject(reply) && !reply.status ? frameError(reply) : null;
  if (error) throw error;
  if (isObject(reply)) return reply as unknown as Response;
  throw new UpstreamError('upstream_error', 'unknown', { status: 200 });
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
