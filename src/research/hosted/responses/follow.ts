import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { LearntModels } from '../../../llm/models/learnt-models';
import type { EventStream } from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import { AppError } from '../../../platform/errors';
import { backoff } from '../../../platform/pause';
import type { ActiveRun } from '../../../runs/worker/active-run';
import { ActiveRuns } from '../../../runs/worker/active-runs';
import { Rescheduled } from '../../../runs/worker/run-outcome';
import { pollIntervalMs, rescheduled } from '../poll-interval';
import { readReport } from '../report';
import { OpenStream } from './open-stream';
import { isOver } from './response-identity';
import { ResponsesClient } from './responses.client';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import {
  type BoughtRun,
  type PurchasedRun,
  WITHOUT_BACKGROUND,
} from '../research-protocol';

const POLL_FIRST_MS = 1_000;
const POLL_MAX_MS = 10_000;
/** Per active run, so that all together poll at most about 500 times a second. */
const POLL_EACH_MS = 2;
/** Streams in a row that added nothing, after which the run is only polled. */
const MAX_EMPTY_STREAMS = 3;
/** How long an end that a stream reports is confirmed, before it is accepted as it is. */
const CONFIRM_MS = 2 * 60_000;
/** Streams that one process holds open; runs beyond that are polled, with or without a subscriber. */
const MAX_STREAMS = 2_000;

/**
 * Follows a run over Responses to its end: by its stream while the run has a subscriber, who reads the text as it comes,
 * else by polling. The response that a poll returns is authoritative; a failure of the stream, or one reported in it, is
 * not a failure of the run.
 */
@Injectable()
export class Follow {
  private streams = 0;

  constructor(
    private readonly responses: ResponsesClient,
    private readonly active: ActiveRuns,
    private readonly learnt: LearntModels,
  ) {}

  /** @throws AppError if the outcome of the run can no longer be known, RunLost, or the signal's reason. */
  async toEnd(
    purchased: PurchasedRun,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response | Rescheduled> {
    const { upstreamId, response } = purchased;
    const bought = { id: run.id, upstreamId };
    if (response && isOver(response)) {
      const end = await this.confirm(bought, response, writer, run);
      if (isOver(end)) return end;
    }
    let { stream } = purchased;
    // Both are released: the run may take an hour.
    purchased.stream = purchased.response = undefined;
    let empty = 0;
    for (let poll = 0; ; poll += 1) {
      let left: Response | undefined;
      if (stream) {
        const before = writer.upstreamSeq;
        const reached = await this.read(purchased, stream, writer, run);
        if (typeof reached === 'object' && isOver(reached)) {
          const end = await this.confirm(bought, reached, writer, run);
          if (isOver(end)) return end;
        } else if (typeof reached === 'object') left = reached;
        const idle = !left && writer.upstreamSeq === before;
        empty = idle ? empty + 1 : 0;
        if (empty === 0) poll = 0;
        stream = undefined;
      }
      const current =
        left ?? (await this.responses.retrieve(bought, run.signal, writer));
      if (isOver(current)) return current;
      await writer.appendProgress(current);
      const open = run.attended && this.streams < MAX_STREAMS;
      if (open && empty < MAX_EMPTY_STREAMS) {
        const reopened = await this.reopen(upstreamId, writer, run.signal);
        if (typeof reopened === 'object') stream = reopened;
        if (reopened === 'refused') empty = MAX_EMPTY_STREAMS;
        if (reopened === 'failed') empty += 1;
      }
      if (stream && empty === 0) continue;
      if (this.active.crowded && !run.attended) return rescheduled(run);
      await run.rest(
        run.attended
          ? backoff(poll, POLL_FIRST_MS, POLL_MAX_MS)
          : pollIntervalMs(
              run.ageMs,
              Math.max(POLL_FIRST_MS, this.active.count * POLL_EACH_MS),
            ),
      );
      run.signal.throwIfAborted();
    }
  }

  /**
   * The response as the endpoint stores it, where its stream ended without a report: a proxy that loses its connection
   * writes a failure of its own. If the endpoint does not return the response, the end in the stream counts.
   */
  private async confirm(
    bought: BoughtRun,
    ended: Response,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response> {
    if (ended.status === 'completed' && readReport(ended).text.trim() !== '')
      return ended;
    const limit = AbortSignal.timeout(CONFIRM_MS);
    try {
      return await this.responses.retrieve(
        bought,
        AbortSignal.any([run.signal, limit]),
        writer,
      );
    } catch (error) {
      run.signal.throwIfAborted();
      // No response, or none any more: the endpoint may store nothing.
      if (error instanceof AppError || limit.aborted) return ended;
      throw error;
    }
  }

  /**
   * Reads to the end of the run, or until the stream breaks. A run without a subscriber leaves its stream, if the endpoint
   * confirms that it continues without; what was not confirmed is not asked for again.
   */
  private async read(
    { upstreamId, background }: PurchasedRun,
    stream: EventStream<ResponseStreamEvent>,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response | 'broken'> {
    const bought = { id: run.id, upstreamId };
    const open = new OpenStream(bought, stream, this.responses, writer, run);
    this.streams += 1;
    const tooMany = this.streams > MAX_STREAMS;
    try {
      return await open.read(() => background && (tooMany || !run.attended));
    } finally {
      this.streams -= 1;
      if (background && open.bound && !open.confirmed)
        this.learnt.learn(writer.model, WITHOUT_BACKGROUND);
    }
  }

  /** Opens the stream where it was broken. `refused`: the upstream gives none, now or later. */
  private async reopen(
    upstreamId: string,
    writer: HostedRunWriter,
    signal: AbortSignal,
  ): Promise<EventStream<ResponseStreamEvent> | 'refused' | 'failed'> {
    const { upstreamSeq } = writer;
    // A stream without numbers cannot be resumed, only read from its start.
    if (upstreamSeq === undefined && writer.text !== '') return 'refused';
    try {
      const reply = await this.responses.stream(
        upstreamId,
        upstreamSeq,
        signal,
      );
      if (!reply) return 'failed';
      if (reply.kind !== 'stream') return 'refused';
      if (upstreamSeq === undefined) writer.restartStream();
      return reply;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return error.definite ? 'refused' : 'failed';
    }
  }
}
