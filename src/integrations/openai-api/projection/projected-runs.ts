import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppError } from '../../../platform/errors';
import { failedCompletion } from '../../../platform/http/openai/completion-shape';
import { responseError } from '../../../platform/http/openai/response-shape';
import type { SseFrame } from '../../../platform/http/sse';
import { endsLog } from '../../../runs/record/run-event';
import { RunReader } from '../../../runs/store/run-reader';
import type { RunRecord } from '../../../runs/record/run-record';
import { isFinal } from '../../../runs/record/run';
import { RunsService } from '../../../runs/runs.service';
import {
  type ResponseField,
  type ShownRun,
  shownRun,
} from '../response-request';
import {
  completionHead,
  completionOf,
  CompletionProjection,
} from './completion-projection';
import { statusOf, unfinished } from './response-object';
import { ResponseProjection } from './response-projection';
import type { Projection, RunForm } from './run-form';

const PAGE = 500;

/** Records and event logs as responses or completions, and their events. */
@Injectable()
export class ProjectedRuns {
  constructor(
    private readonly runs: RunsService,
    private readonly reader: RunReader,
  ) {}

  /** @param include what a reader asks for besides. */
  async shown(
    record: RunRecord,
    include: readonly string[] = [],
  ): Promise<ShownRun> {
    const fields = await this.reader.readSome<ResponseField>(
      record.id,
      'response_request',
      'args',
    );
    const run = shownRun(record, fields);
    const { request } = run;
    return {
      ...run,
      request: { ...request, include: [...request.include, ...include] },
    };
  }

  /** As it is now. Its output is shown once it has ended. */
  async response(run: ShownRun, record: RunRecord): Promise<Response> {
    if (!isFinal(record.status)) return unfinished(run, statusOf(record));
    const projection = new ResponseProjection(run);
    for (let after = 0; ;) {
      const page = await this.reader.readLog(run.id, after, PAGE);
      for (const event of page)
        if (!endsLog(event)) drain(projection.take(event));
      if (page.length < PAGE) return drain(projection.end(record));
      after = page.at(-1)!.seq;
    }
  }

  /** @param after the number of the last event that its reader has. */
  async responseForm(
    record: RunRecord,
    after = -1,
    include: readonly string[] = [],
  ): Promise<RunForm> {
    const run = await this.shown(record, include);
    return {
      run,
      whole: (end) => this.response(run, end),
      failed: (error, last) => ({
        ...unfinished(run, error.status === 404 ? 'cancelled' : statusOf(last)),
        error: responseError(error),
      }),
      frames: (wanted) => this.responseFrames(run, after, wanted),
    };
  }

  async completionForm(
    record: RunRecord,
    includeUsage: boolean,
  ): Promise<RunForm> {
    const run = await this.shown(record);
    return {
      run,
      whole: (end) => completionOf(run, end),
      failed: (error) => failedCompletion(error, completionHead(run)),
      frames: (wanted) =>
        this.follow(run, new CompletionProjection(run, includeUsage), wanted),
    };
  }

  private async *responseFrames(
    run: ShownRun,
    after: number,
    wanted: AbortSignal,
  ): AsyncGenerator<SseFrame> {
    const events = this.follow(run, new ResponseProjection(run), wanted);
    for await (const event of events)
      if (event.sequence_number > after)
        yield { event: event.type, json: JSON.stringify(event) };
  }

  /** @throws AppError `shutting_down` when `wanted` aborts: a stream without an end must not look complete. */
  private async *follow<Event>(
    { id }: ShownRun,
    projection: Projection<Event>,
    wanted: AbortSignal,
  ): AsyncGenerator<Event> {
    for await (const event of this.runs.follow(id, 0, wanted)) {
      if (!endsLog(event)) {
        yield* projection.take(event);
        continue;
      }
      const record = await this.reader.read(id);
      if (!record) break;
      yield* projection.end(record);
      return;
    }
    if (wanted.aborted) throw new AppError('shutting_down');
    // It was deleted while it ran.
    yield* projection.gone();
  }
}

/** Runs a generator to its end for what it returns. */
function drain<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
