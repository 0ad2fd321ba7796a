import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppError } from '../../../platform/errors';
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
import { statusOf, unfinished } from './response-object';
import { ResponseProjection } from './response-projection';

const PAGE = 500;

/** Records and event logs as responses and their events. */
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

  /**
   * The events after the number `after` up to the last, live where it has not ended.
   * @throws AppError `shutting_down` when `wanted` aborts: a stream without an end must not look complete.
   */
  async *frames(
    run: ShownRun,
    after: number,
    wanted: AbortSignal,
  ): AsyncGenerator<SseFrame> {
    const projection = new ResponseProjection(run);
    let next = 0;
    for await (const event of this.runs.follow(run.id, 0, wanted)) {
      const ends = endsLog(event);
      const record = ends ? await this.reader.read(run.id) : undefined;
      // It was deleted while it ran.
      if (ends && !record) break;
      const projected = record
        ? projection.end(record)
        : projection.take(event);
      for (const one of projected) {
        next = one.sequence_number + 1;
        if (one.sequence_number > after) yield toFrame(one);
      }
      if (ends) return;
    }
    if (wanted.aborted) throw new AppError('shutting_down');
    yield toFrame(goneError(next));
  }
}

/** Runs a generator to its end for what it returns. */
function drain<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function toFrame(event: ResponseStreamEvent): SseFrame {
  return { event: event.type, json: JSON.stringify(event) };
}

/** The run was deleted. Nested too, as some clients read it. */
function goneError(sequence_number: number): ResponseStreamEvent {
  const fault = {
    code: 'response_not_found',
    message: 'The response was deleted.',
    param: '',
  };
  const error = { type: 'invalid_request_error', ...fault };
  return { type: 'error', sequence_number, ...fault, error } as never;
}
