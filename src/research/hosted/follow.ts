import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { EventStream } from '../../llm/upstream/upstream.client';
import { UpstreamError } from '../../llm/upstream/upstream.error';
import { backoff } from '../../llm/upstream/retry';
import type { ActiveRun } from '../../runs/worker/active-run';
import { ActiveRuns } from '../../runs/worker/active-runs';
import { Rescheduled } from '../../runs/worker/run.outcome';
import { parkedFor, pollIntervalMs } from './poll-interval';
import { readReport } from './report';
import { ResponsesClient } from './responses.client';
import type { HostedRunWriter } from './hosted-run.writer';
import type { Bought } from './purchase/purchase';

const POLL_FIRST_MS = 1_000;
const POLL_MOST_MS = 10_000;
/** So that all runs together are not asked for more often than about 500 times a second. */
const POLL_EACH_MS = 2;
/** How often a stream that says nothing is thought about. */
const QUIET_MS = 10_000;
/** After so many times the response itself is looked at. */
const MAX_QUIET = 3;
/** Streams that were opened again in vain before only polling is left. */
const MAX_EMPTY_STREAMS = 3;
/** For so long an end that a stream reports is asked after, before it is believed as it is. */
const CONFIRM_MS = 2 * 60_000;
/** Streams that one process holds at once; a run beyond that is asked for, whoever attends to it. */
const MAX_STREAMS = 2_000;

/**
 * Follows a run to its end: by its stream while somebody attends to it, for that is where text comes from bit by bit,
 * else by asking now and then. The response is the truth; whatever happens to a stream, or is said in it, is no failure
 * of the run.
 */
@Injectable()
export class Follow {
  private streams = 0;

  constructor(
    private readonly responses: ResponsesClient,
    private readonly held: ActiveRuns,
  ) {}

  /** @throws AppError if the run cannot be known any more, RunLost, or the signal's reason. */
  async toEnd(
    bought: Bought,
    journal: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response | Rescheduled> {
    const { upstreamId, response } = bought;
    if (response && isOver(response)) {
      const end = await this.confirm(upstreamId, response, journal, run);
      if (isOver(end)) return end;
    }
    let { stream } = bought;
    // Neither is to be kept for as long as the run takes.
    bought.stream = bought.response = undefined;
    let empty = 0;
    for (let poll = 0; ; poll += 1) {
      if (stream) {
        const before = journal.upstreamSeq;
        const ended = await this.read(bought, stream, journal, run);
        if (typeof ended === 'object') {
          const end = await this.confirm(upstreamId, ended, journal, run);
          if (isOver(end)) return end;
        }
        const idle = ended !== 'left' && journal.upstreamSeq === before;
        empty = idle ? empty + 1 : 0;
        if (empty === 0) poll = 0;
        stream = undefined;
      }
      const current = await this.responses.ask(upstreamId, run.signal, journal);
      if (isOver(current)) return current;
      await journal.look(current);
      const open = run.attended && this.streams < MAX_STREAMS;
      if (open && empty < MAX_EMPTY_STREAMS) {
        const reopened = await this.reopen(upstreamId, journal, run.signal);
        if (typeof reopened === 'object') stream = reopened;
        if (reopened === 'refused') empty = MAX_EMPTY_STREAMS;
        if (reopened === 'failed') empty += 1;
      }
      if (stream && empty === 0) continue;
      if (this.held.crowded && !run.attended) return parkedFor(run);
      await run.rest(
        run.attended
          ? backoff(poll, POLL_FIRST_MS, POLL_MOST_MS)
          : pollIntervalMs(
              run.ageMs,
              Math.max(POLL_FIRST_MS, this.held.count * POLL_EACH_MS),
            ),
      );
      run.signal.throwIfAborted();
    }
  }

  /**
   * What the response is, where something else than a report ended its stream: a proxy that loses its connection writes
   * a failure of its own. An endpoint that does not give the response to anybody leaves what it said itself.
   */
  private async confirm(
    upstreamId: string,
    ended: Response,
    journal: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response> {
    if (ended.status === 'completed' && readReport(ended).text.trim() !== '')
      return ended;
    const patience = AbortSignal.timeout(CONFIRM_MS);
    try {
      return await this.responses.ask(
        upstreamId,
        AbortSignal.any([run.signal, patience]),
        journal,
      );
    } catch (error) {
      run.signal.throwIfAborted();
      // Neither an answer nor the word that there is none.
      if (error instanceof UpstreamError || patience.aborted) return ended;
      throw error;
    }
  }

  /**
   * Reads to the end of the run, until the stream is `broken`, or until nobody attends to it any more: `left`.
   * A run without background mode ends with its stream, which is therefore never left.
   */
  private async read(
    { upstreamId, background }: Bought,
    { events, close }: EventStream<ResponseStreamEvent>,
    journal: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response | 'broken' | 'left'> {
    const read = (): Promise<IteratorResult<ResponseStreamEvent[]>> => {
      const next = events.next();
      // One that fails after the stream was left has nobody to tell.
      next.catch(() => undefined);
      return next;
    };
    this.streams += 1;
    const tooMany = this.streams > MAX_STREAMS;
    try {
      let next = read();
      for (let quiet = 0; ;) {
        const batch = await run.rest(QUIET_MS, next);
        run.signal.throwIfAborted();
        if (typeof batch === 'string') {
          quiet += 1;
          if (batch === 'news' || quiet === MAX_QUIET) {
            quiet = 0;
            const current = await this.responses.ask(
              upstreamId,
              run.signal,
              journal,
            );
            if (isOver(current)) return current;
          }
        } else {
          if (batch.done) return 'broken';
          quiet = 0;
          const ended = await journal.take(batch.value);
          if (ended && isOver(ended)) return ended;
          next = read();
        }
        if (background && (tooMany || !run.attended)) return 'left';
      }
    } catch (error) {
      if (error instanceof UpstreamError) return 'broken';
      throw error;
    } finally {
      this.streams -= 1;
      close();
      void events.return?.();
    }
  }

  /** The stream from where it broke off. `refused`: the upstream has none to give, now or later. */
  private async reopen(
    upstreamId: string,
    journal: HostedRunWriter,
    signal: AbortSignal,
  ): Promise<EventStream<ResponseStreamEvent> | 'refused' | 'failed'> {
    const { upstreamSeq } = journal;
    // A stream without numbers cannot be resumed, only read from its start.
    if (upstreamSeq === undefined && journal.text !== '') return 'refused';
    try {
      const reply = await this.responses.stream(
        upstreamId,
        upstreamSeq,
        signal,
      );
      if (!reply) return 'failed';
      if (reply.kind !== 'stream') return 'refused';
      if (upstreamSeq === undefined) journal.startOver();
      return reply;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return error.definite ? 'refused' : 'failed';
    }
  }
}

/** The four ends of a response. Any other status, known or not, is not one. */
function isOver({ status }: Response): boolean {
  return ['completed', 'failed', 'cancelled', 'incomplete'].includes(
    status ?? '',
  );
}
