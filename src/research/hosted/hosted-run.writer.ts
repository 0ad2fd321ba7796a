import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { backoff, pause } from '../../llm/upstream/retry';
import type { Source } from '../../message/citation';
import { isRedisUnavailable } from '../../redis/redis-unavailable';
import type { RunEvent } from '../../runs/run';
import type { FieldsOf, RunField } from '../../runs/record/run.fields';
import type { Claim, RunStore } from '../../runs/record/run.store';
import { RunLost, RunWriter } from '../../runs/worker/run.writer';
import type { HostedField } from './hosted-run.fields';
import type { PurchaseStore } from './purchase/purchase.store';
import { findingsIn } from './two-phase/public-findings';
import type { Phase } from './two-phase/two-phase';
import { type Folded, Transcript, type TranscriptState } from './transcript';
import { describeWait, type Wait } from './wait';

/** A run that waits for an hour says so sixty times. */
const WAITS_EVERY_MS = 60_000;
/** What passes sooner is no wait to speak of. */
const WAIT_LEAST_MS = 500;

/** What a worker writes about the run it holds. Every write is refused once the run is lost. */
export class HostedRunWriter {
  private readonly writer: RunWriter;
  /** A purchase was begun whose outcome is not on record. */
  attempted: boolean;
  /** As soon as it is on record. */
  upstreamId?: string;
  /** Of a research of two phases. */
  phase: Phase;
  readonly publicSources: readonly Source[];
  private readonly transcript: Transcript;
  private waitToldAt = -Infinity;

  constructor(
    store: RunStore,
    private readonly purchases: PurchaseStore,
    claim: Claim<HostedField>,
  ) {
    const { fields } = claim;
    this.writer = new RunWriter(store, claim);
    this.attempted = Boolean(fields.attempt);
    this.phase = (fields.phase ?? '') as Phase;
    this.publicSources = findingsIn(fields)?.sources ?? [];
    const state = (
      fields.follow
        ? JSON.parse(fields.follow)
        : { partStart: 0, steps: 0, stepsRead: 0 }
    ) as TranscriptState;
    const progress = fields.progress
      ? (JSON.parse(fields.progress) as TranscriptState['progress'])
      : { searches: 0, pages_opened: 0, last_step: null };
    this.transcript = new Transcript({ ...state, progress }, claim.text);
  }

  /** All text that was passed on. */
  get text(): string {
    return this.transcript.text;
  }

  /** The number of the last upstream event that was written down. */
  get upstreamSeq(): number | undefined {
    return this.transcript.state.seq;
  }

  /** Writes down upstream events in one step with the place that was reached. Answers the response if they end it. */
  async take(batch: ResponseStreamEvent[]): Promise<Response | undefined> {
    const folded = this.transcript.fold(batch);
    await this.writeFolded(folded);
    return folded.ended;
  }

  /** Writes down what a response that goes on tells of its progress. */
  async look(response: Response): Promise<void> {
    await this.writeFolded(this.transcript.look(response));
  }

  /** The stream is going to be read from its start again. */
  startOver(): void {
    this.transcript.state.stepsRead = 0;
  }

  /** Passes on a last piece of text that came by no stream. */
  async add(text: string): Promise<void> {
    if (text === '') return;
    this.transcript.text += text;
    await this.write([{ type: 'output_text', data: { text } }], text, {});
  }

  /** Notes which phase has been reached, and tells of it if there is anything to tell. */
  async enter(
    phase: Phase,
    detail?: string,
    fields: FieldsOf<HostedField | RunField> = {},
  ): Promise<void> {
    const { progress } = this.transcript.state;
    if (detail) progress.last_step = detail;
    const told: RunEvent[] = detail
      ? [{ type: 'progress', data: { kind: 'tool', detail } }]
      : [];
    const noted = { ...fields, phase, progress: JSON.stringify(progress) };
    await this.write(told, '', noted);
    this.phase = phase;
  }

  /** Notes that the run waits for the endpoint for about `ms`, now and then. */
  async waits(why: Wait, ms: number): Promise<void> {
    const now = performance.now();
    if (ms < WAIT_LEAST_MS || now - this.waitToldAt < WAITS_EVERY_MS) return;
    this.waitToldAt = now;
    const detail = describeWait(why, ms);
    const { progress } = this.transcript.state;
    progress.last_step = detail;
    await this.write(
      [{ type: 'progress', data: { kind: 'waiting', detail } }],
      '',
      { progress: JSON.stringify(progress) },
    );
  }

  /** Notes the intent to buy, before it is tried; '' if nothing came of it. */
  async noteAttempt(attempt: string): Promise<void> {
    await this.write([], '', { attempt });
    this.attempted = attempt !== '';
  }

  /**
   * Notes the upstream's id. Answers the id that holds, which is an earlier one if there was one. A Redis that takes no
   * writes must not make a run nameless that was paid for: it is told until it takes the name, or `signal` aborts.
   */
  async adopt(upstreamId: string, signal: AbortSignal): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { id, fence } = this.writer;
        const holds = await this.purchases.adopt(id, fence, upstreamId);
        if (holds === undefined) throw new RunLost();
        this.upstreamId = holds;
        return holds;
      } catch (error) {
        if (!isRedisUnavailable(error)) throw error;
        await pause(backoff(attempt, 100, 1_000), signal);
        signal.throwIfAborted();
      }
    }
  }

  private async writeFolded({ events, text }: Folded): Promise<void> {
    if (events.length === 0) return;
    const { progress, ...follow } = this.transcript.state;
    await this.write(events, text, {
      follow: JSON.stringify(follow),
      progress: JSON.stringify(progress),
    });
  }

  private write(
    events: RunEvent[],
    text: string,
    fields: FieldsOf<HostedField | RunField>,
  ): Promise<void> {
    return this.writer.append({ events, text, fields });
  }
}
