import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import {
  waitDetail,
  type WaitReason,
  WaitReports,
} from '../../../llm/upstream/endpoint-wait';
import { LoopWatch } from '../../../llm/turns/repetition';
import { AppError } from '../../../platform/errors';
import { backoff, pause } from '../../../platform/pause';
import type { Source } from '../../../platform/message/citation';
import { isRedisUnavailable } from '../../../platform/redis/redis-unavailable';
import type { RunEvent } from '../../../runs/record/run-event';
import type { FieldsOf, RunField } from '../../../runs/record/run-fields';
import type { Claim, RunStore } from '../../../runs/store/run.store';
import { reachStage } from '../../../runs/ending/job-log';
import { RunLost, RunWriter } from '../../../runs/worker/run-writer';
import { argumentsIn } from '../../arguments/research-arguments';
import type { HostedField } from './hosted-run-fields';
import type { PurchaseStore } from './purchase.store';
import { findingsIn } from './public-findings';
import type { Phase } from './phase';
import { type Folded, Transcript, type TranscriptState } from './transcript';

/** Writes the progress of a run that this worker has claimed. Once the claim is lost, every write throws RunLost. */
export class HostedRunWriter {
  private readonly writer: RunWriter;
  /** An attempt to purchase is on record, and its outcome is not. */
  hasOpenAttempt: boolean;
  /** Set as soon as it is on record. */
  upstreamId?: string;
  /** That the purchase asked for; '' before it, and of a run that an earlier version bought. */
  model: string;
  /** Requests on record that may each have bought something. */
  private sent: number;
  readonly id: string;
  readonly engine: string;
  phase: Phase;
  readonly publicSources: readonly Source[];
  /** The last line of a text for which nothing was searched; '' where the text is JSON. */
  readonly disclosure: string;
  private readonly transcript: Transcript;
  private readonly waits = new WaitReports();
  /** Of the text of a model without a search, as of the answer of a chat. */
  private readonly loops?: LoopWatch;

  constructor(
    store: RunStore,
    private readonly purchases: PurchaseStore,
    claim: Claim<HostedField>,
  ) {
    const { fields } = claim;
    this.writer = new RunWriter(store, claim);
    this.hasOpenAttempt = Boolean(fields.attempt);
    this.sent = Number(fields.purchases ?? 0);
    this.upstreamId = fields.upstream_id || undefined;
    this.id = claim.id;
    this.model = fields.model ?? '';
    this.engine = fields.engine ?? '';
    if (this.engine === 'plain') this.loops = new LoopWatch();
    this.phase = (fields.phase ?? '') as Phase;
    this.disclosure = disclosureOf(fields);
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

  /** All text on record. */
  get text(): string {
    return this.transcript.text;
  }

  /** Steps on record, of searches and the like. */
  get steps(): number {
    return this.transcript.state.steps;
  }

  /** The number of the last upstream event on record. */
  get upstreamSeq(): number | undefined {
    return this.transcript.state.seq;
  }

  /**
   * Records upstream events and the position in their stream in one write. Returns the response if they end it.
   * @throws AppError `max_output_tokens` if the text of a model without a search repeats itself without end.
   */
  async appendEvents(
    batch: ResponseStreamEvent[],
  ): Promise<Response | undefined> {
    const folded = this.transcript.fold(batch);
    await this.writeFolded(folded);
    const { ended, text } = folded;
    if (!ended && this.loops?.add(text))
      throw new AppError('max_output_tokens', REPEATED);
    return ended;
  }

  /** Records the new steps of a response that has not ended. */
  async appendProgress(response: Response): Promise<void> {
    await this.writeFolded(this.transcript.foldSnapshot(response));
  }

  /** Called before the stream is read from its start again. */
  restartStream(): void {
    this.transcript.state.stepsRead = 0;
  }

  /** Records text that came by no stream. */
  async appendText(text: string): Promise<void> {
    if (text === '') return;
    this.transcript.text += text;
    await this.write([{ type: 'output_text', data: { text } }], text, {});
  }

  /** Records the phase that has been reached, with a progress event if there is a detail. */
  async enterPhase(
    phase: Phase,
    detail?: string,
    fields: FieldsOf<HostedField | RunField> = {},
  ): Promise<void> {
    const { progress } = this.transcript.state;
    if (detail) progress.last_step = detail;
    const events: RunEvent[] = detail
      ? [{ type: 'progress', data: { kind: 'tool', detail } }]
      : [];
    const changed = { ...fields, phase, progress: JSON.stringify(progress) };
    await this.write(events, '', changed);
    this.phase = phase;
  }

  /** Reports that the run waits for the endpoint for about `ms`, at most once a minute. */
  async reportWait(reason: WaitReason, ms: number): Promise<void> {
    if (!this.waits.isDue(ms)) return;
    const detail = waitDetail(reason, ms);
    const { progress } = this.transcript.state;
    progress.last_step = detail;
    await this.write(
      [{ type: 'progress', data: { kind: 'waiting', detail } }],
      '',
      { progress: JSON.stringify(progress) },
    );
  }

  /** Records an attempt to purchase before its request is sent; '' after a reply that proves that nothing was begun. */
  async recordAttempt(attempt: string, model?: string): Promise<void> {
    const sent = this.sent + (attempt === '' ? -1 : 1);
    await this.write([], '', { attempt, model, purchases: String(sent) });
    this.sent = sent;
    this.hasOpenAttempt = attempt !== '';
    this.model = model ?? this.model;
  }

  /**
   * Records the upstream's id. Returns the id on record, which is an earlier one if there was one. While Redis takes no
   * writes the write is repeated until `signal` aborts: without its id, a purchased run is lost.
   */
  async adopt(upstreamId: string, signal: AbortSignal): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { id, fence } = this.writer;
        const recorded = await this.purchases.adopt(id, fence, upstreamId);
        if (recorded === undefined) throw new RunLost();
        this.upstreamId = recorded;
        reachStage('purchased');
        return recorded;
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

const REPEATED = 'The text repeated itself without end and was cut off';

const DISCLOSURE =
  'Nothing was searched for this text: it comes from what the model knows and what the request contains.';

/** Of an engine whose searches only the endpoint reports. */
const NO_SEARCH_REPORTED =
  'No search is on record for this text: the model endpoint reports none.';

function disclosureOf(fields: Claim['fields']): string {
  const { deliverable_format, text_format } = argumentsIn(fields);
  const isJson = text_format !== undefined && text_format.type !== 'text';
  if (isJson || deliverable_format === 'json_outline') return '';
  return fields.engine === 'plain' ? DISCLOSURE : NO_SEARCH_REPORTED;
}
