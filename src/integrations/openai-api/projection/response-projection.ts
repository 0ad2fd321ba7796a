import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { ProgressData } from '../../../runs/record/progress';
import type { LogEvent } from '../../../runs/record/run-event';
import type { RunRecord } from '../../../runs/record/run-record';
import { digitsOf } from '../../../runs/record/run-id';
import { itemIdOf } from '../response-id';
import type { ShownRun } from '../response-request';
import { MessageItem } from '../../../platform/http/openai/message-item';
import type { Unnumbered } from '../../../platform/http/openai/response-shape';
import { progressItem } from './progress-items';
import { finalStatus, finished, unfinished } from './response-object';
import type { Projection } from './run-form';

const SOURCES = 'web_search_call.action.sources';

/**
 * The event log of a run as the events of a response. The same log gives the same events with the same numbers, whichever
 * process reads it and however often, so a stream resumes at any event for as long as the record is kept.
 */
export class ResponseProjection implements Projection<ResponseStreamEvent> {
  readonly output: ResponseOutputItem[] = [];
  private next = 0;
  private hasBegun = false;
  private isRunning = false;
  private message?: MessageItem;
  private text = '';

  constructor(private readonly run: ShownRun) {}

  *take(event: LogEvent): Generator<ResponseStreamEvent> {
    for (const unnumbered of this.project(event)) yield this.number(unnumbered);
  }

  /** Returns the response. */
  *end(record: RunRecord): Generator<ResponseStreamEvent, Response> {
    for (const event of this.begin()) yield this.number(event);
    const status = finalStatus(record);
    const isResult = status === 'completed' || status === 'incomplete';
    const text = isResult ? (record.text ?? '') : this.text;
    if (text !== '' || this.message) {
      const citations = isResult ? (record.citations ?? []) : [];
      const whole = status === 'completed' ? status : 'incomplete';
      for (const event of this.close(text, citations, whole))
        yield this.number(event);
    }
    const response = finished(this.run, record, this.outputWith(record));
    yield this.number(
      // A cancelled response has no event of its own: SDKs raise an error for a failed one.
      status === 'completed' || status === 'incomplete'
        ? { type: `response.${status}`, response }
        : { type: 'response.failed', response },
    );
    return response;
  }

  /** Nested too, as some clients read it. */
  *gone(): Generator<ResponseStreamEvent> {
    const fault = {
      code: 'response_not_found',
      message: 'The response was deleted.',
      param: '',
    };
    const error = { type: 'invalid_request_error', ...fault };
    yield this.number({ type: 'error', ...fault, error } as Unnumbered);
  }

  private *project({ type, status, data }: LogEvent): Generator<Unnumbered> {
    yield* this.begin();
    if (!this.isRunning && status === 'running') {
      this.isRunning = true;
      const response = unfinished(this.run, 'in_progress');
      yield { type: 'response.in_progress', response };
    }
    if (type === 'progress') yield* this.step(JSON.parse(data) as ProgressData);
    if (type === 'output_text')
      yield* this.add((JSON.parse(data) as { text: string }).text);
  }

  private *begin(): Generator<Unnumbered> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { background } = this.run.request;
    const response = unfinished(
      this.run,
      background ? 'queued' : 'in_progress',
    );
    yield { type: 'response.created', response };
    if (background) yield { type: 'response.queued', response };
  }

  private *step(progress: ProgressData): Generator<Unnumbered> {
    // The report is the last item: programs read it there.
    if (this.message) return;
    const { length } = this.output;
    const step = progressItem(progress, digitsOf(this.run.id), length);
    if (!step) return;
    yield* step.events;
    this.output.push(step.item);
  }

  private *add(delta: string): Generator<Unnumbered> {
    if (delta === '') return;
    this.text += delta;
    const message = yield* this.opened();
    yield* message.add(delta);
  }

  private *opened(): Generator<Unnumbered, MessageItem> {
    if (this.message) return this.message;
    const { length } = this.output;
    const id = itemIdOf('msg', digitsOf(this.run.id), length);
    this.message = new MessageItem(id, length);
    yield* this.message.open();
    return this.message;
  }

  private *close(
    text: string,
    citations: NonNullable<RunRecord['citations']>,
    status: 'completed' | 'incomplete',
  ): Generator<Unnumbered> {
    const message = yield* this.opened();
    this.output.push(yield* message.complete(text, citations, status));
  }

  /** If asked for, the last search has the pages that all of them have found: which search found which is not on record. */
  private outputWith({ sources }: RunRecord): ResponseOutputItem[] {
    const { include } = this.run.request;
    if (!sources || !include.includes(SOURCES)) return this.output;
    const at = this.output.findLastIndex(
      (item) =>
        item.type === 'web_search_call' && item.action.type === 'search',
    );
    return this.output.map((item, index) =>
      index === at &&
      item.type === 'web_search_call' &&
      item.action.type === 'search'
        ? {
            ...item,
            action: {
              ...item.action,
              sources: sources.map(({ url }) => ({ type: 'url', url })),
            },
          }
        : item,
    );
  }

  private number(event: Unnumbered): ResponseStreamEvent {
    const sequence_number = this.next;
    this.next += 1;
    return { ...event, sequence_number } as ResponseStreamEvent;
  }
}
