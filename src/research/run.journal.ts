import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppError } from '../errors';
import type { RunEvent } from '../tool-invocations/invocation';
import type {
  Claim,
  InvocationStore,
} from '../tool-invocations/invocation.store';
import { Transcript, type TranscriptState } from './transcript';

/** The run is no longer this worker's: another has taken it over, or it has ended. Nothing more may be done for it. */
export class RunLost extends Error {}

/** What a worker writes about the run it holds. Every write is refused once the run is lost. */
export class RunJournal {
  private seq: number;
  private readonly transcript: Transcript;

  constructor(
    private readonly store: InvocationStore,
    private readonly claim: Claim,
  ) {
    const { fields } = claim;
    this.seq = Number(fields.seq);
    const state = (
      fields.follow ? JSON.parse(fields.follow) : { partStart: 0 }
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

  /** Nothing was written down yet. */
  get isEmpty(): boolean {
    return (
      this.text === '' && this.transcript.state.progress.last_step === null
    );
  }

  /** The number of the last upstream event that was written down. */
  get upstreamSeq(): number | undefined {
    return this.transcript.state.seq;
  }

  /** Writes down upstream events in one step with the place that was reached. Answers the response if they end it. */
  async take(batch: ResponseStreamEvent[]): Promise<Response | undefined> {
    const { events, text, ended } = this.transcript.fold(batch);
    const { progress, ...follow } = this.transcript.state;
    if (events.length > 0) {
      await this.write(events, text, {
        follow: JSON.stringify(follow),
        progress: JSON.stringify(progress),
      });
    }
    return ended;
  }

  /** Passes on a last piece of text that came by no stream. */
  async add(text: string): Promise<void> {
    if (text === '') return;
    this.transcript.text += text;
    await this.write([{ type: 'output_text', data: { text } }], text, {});
  }

  async note(fields: Record<string, string>): Promise<void> {
    await this.write([], '', fields);
  }

  /** Notes the upstream's id. Answers the id that holds, which is an earlier one if there was one. */
  async adopt(upstreamId: string): Promise<string> {
    const holds = await this.store.adopt(
      this.claim.id,
      this.claim.fence,
      upstreamId,
    );
    if (holds === undefined) throw new RunLost();
    return holds;
  }

  private async write(
    events: RunEvent[],
    text: string,
    fields: Record<string, string>,
  ): Promise<void> {
    const { id, fence } = this.claim;
    const written = await this.store.append(id, fence, this.seq, {
      events,
      text,
      fields,
    });
    if (written === 'too_large') throw new AppError('output_too_large');
    if (typeof written !== 'number') throw new RunLost();
    this.seq = written;
  }
}
