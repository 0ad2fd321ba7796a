import { AppError, isErrorCode } from '../../../platform/errors';
import {
  annotationsOf,
  ChunkShape,
  type CompletionHead,
  completionShape,
  DONE,
  errorFrame,
  type FinishReason,
  headOf,
} from '../../../platform/http/openai/completion-shape';
import {
  OpenAiRefusal,
  PaidFailure,
} from '../../../platform/http/openai/openai-error';
import type { SseFrame } from '../../../platform/http/sse';
import { type ProgressData, progressText } from '../../../runs/record/progress';
import { isFinal } from '../../../runs/record/run';
import type { LogEvent } from '../../../runs/record/run-event';
import type { RunRecord } from '../../../runs/record/run-record';
import type { ShownRun } from '../response-request';
import { finalStatus, reasonOf } from './response-object';
import type { Projection } from './run-form';

/** The same for every request that gets this run. */
export function completionHead(run: ShownRun): CompletionHead {
  return headOf(run.id, run.createdMs, run.request.model);
}

/** A run that has ended. @throws AppError if it has no report. */
export function completionOf(run: ShownRun, record: RunRecord): object {
  checkReport(record);
  const message = {
    content: record.text,
    annotations: annotationsOf(record.citations ?? []),
  };
  const [head, finish] = [completionHead(run), finishOf(record)];
  return {
    ...completionShape(head, message, finish, record.usage),
    ...besides(run, record),
  };
}

/** The event log of a run as the chunks of a completion: what it does as thoughts, then the report. */
export class CompletionProjection implements Projection<SseFrame> {
  private readonly shape: ChunkShape;
  private hasBegun = false;
  private text = '';

  constructor(
    private readonly run: ShownRun,
    includeUsage: boolean,
  ) {
    this.shape = new ChunkShape(completionHead(run), includeUsage);
  }

  *take({ type, data }: LogEvent): Generator<SseFrame> {
    yield* this.begin();
    // Programs show thoughts before the answer, not within it.
    if (type === 'progress' && this.text === '') {
      const thought = progressText(JSON.parse(data) as ProgressData);
      for (const chunk of this.shape.thought(thought)) yield { data: chunk };
    }
    if (type === 'output_text')
      yield* this.add((JSON.parse(data) as { text: string }).text);
  }

  *end(record: RunRecord): Generator<SseFrame> {
    yield* this.begin();
    try {
      checkReport(record);
    } catch (error) {
      yield errorFrame(error as AppError);
      return;
    }
    const { text, citations, usage } = record;
    if (text?.startsWith(this.text))
      yield* this.add(text.slice(this.text.length));
    if (citations?.length)
      yield this.chunk({ annotations: annotationsOf(citations) });
    const finish = finishOf(record);
    yield { data: this.shape.chunk({}, finish, besides(this.run, record)) };
    for (const data of this.shape.usage(usage)) yield { data };
    yield DONE;
  }

  *gone(): Generator<SseFrame> {
    yield errorFrame(
      new OpenAiRefusal(
        'response_not_found',
        'The research was deleted.',
        '',
        404,
      ),
    );
  }

  private *begin(): Generator<SseFrame> {
    if (!this.hasBegun) yield { data: this.shape.first() };
    this.hasBegun = true;
  }

  private *add(content: string): Generator<SseFrame> {
    if (content === '') return;
    this.text += content;
    yield this.chunk({ content });
  }

  private chunk(delta: Parameters<ChunkShape['chunk']>[0]): SseFrame {
    return { data: this.shape.chunk(delta) };
  }
}

/** @throws AppError of a run without a report. */
function checkReport(record: RunRecord): void {
  if (!isFinal(record.status)) throw new AppError('shutting_down');
  const status = finalStatus(record);
  const hasText = (record.text ?? '').trim() !== '';
  if (hasText && (status === 'completed' || status === 'incomplete')) return;
  const { code = '', message } = record.error ?? {};
  // A newer worker may have ended the run with a code that this process does not know.
  throw new PaidFailure(isErrorCode(code) ? code : 'internal_error', message);
}

function finishOf(record: RunRecord): FinishReason {
  if (finalStatus(record) === 'completed') return 'stop';
  return reasonOf(record) === 'content_filter' ? 'content_filter' : 'length';
}

/** What the form has no field for: what was not kept of the request, and why the run ended early. */
function besides({ request: { notices } }: ShownRun, { error }: RunRecord) {
  if (!notices && !error) return {};
  return { sonde: { ...(notices && { notices }), ...(error && { error }) } };
}
