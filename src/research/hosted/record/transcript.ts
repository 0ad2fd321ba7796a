import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { Progress } from '../../../runs/record/run';
import type { RunEvent } from '../../../runs/record/run-event';
import {
  splitMarks,
  withoutMarks,
} from '../../../llm/responses/citation-marks';
import { gapAfter } from '../../../llm/responses/message-gap';
import { type Step, stepOf } from './progress-steps';

/** The position of a run in the upstream's stream. It is stored in the record, so that another worker can continue there. */
export interface TranscriptState {
  /** `sequence_number` of the last event that was folded. */
  seq?: number;
  /** The open text part, and the length of all text before it. */
  part?: string;
  partStart: number;
  /** The end of what was read of the open part, which may be the beginning of a mark. */
  held?: string;
  /**
   * An event is missing, so text may be missing too. `part`: text of the open part, whose end repeats it as a whole.
   * `rest`: perhaps a whole part, which only the final response shows; until then no text is emitted.
   */
  unsure?: 'part' | 'rest';
  /** Steps emitted, and steps read from the stream, which may be behind those of a poll. */
  steps: number;
  stepsRead: number;
  progress: Progress;
}

export interface Folded {
  events: RunEvent[];
  /** The text that the events add. */
  text: string;
  /** The response, if one of the events was final. */
  ended?: Response;
}

/**
 * Folds the upstream's events into those of the log. Emitted text cannot be withdrawn, so text is emitted only while it
 * is certain to be a beginning of the whole.
 */
export class Transcript {
  private readonly commentary = new Set<string>();
  private folded: Folded = { events: [], text: '' };

  constructor(
    readonly state: TranscriptState,
    /** Everything emitted so far. */
    public text: string,
  ) {}

  fold(events: ResponseStreamEvent[]): Folded {
    this.folded = { events: [], text: '' };
    for (const event of events) if (this.isNew(event)) this.take(event);
    return this.folded;
  }

  /** The steps of a response that has not ended, as far as they are new. Its text may still change, so none is emitted. */
  foldSnapshot(response: Response): Folded {
    this.folded = { events: [], text: '' };
    const steps = (response.output ?? [])
      .filter(isFinished)
      .map(stepOf)
      .filter(isPresent);
    for (const step of steps.slice(this.state.steps)) this.progress(step);
    return this.folded;
  }

  private isNew({
    type,
    sequence_number: seq,
  }: {
    type: string;
    sequence_number?: number;
  }): boolean {
    // Some gateways do not number their events; these are folded in the order in which they come.
    if (typeof seq !== 'number') return true;
    // A proxy numbers the failure that it writes itself as if it were the upstream's next event.
    if (type === 'response.failed' || type === 'error') return true;
    const last = this.state.seq ?? -1;
    if (seq <= last) return false;
    if (seq > last + 1) {
      this.state.unsure =
        this.state.part === undefined ? 'rest' : (this.state.unsure ?? 'part');
      this.state.held = undefined;
    }
    this.state.seq = seq;
    return true;
  }

  private take(event: ResponseStreamEvent): void {
    switch (event.type) {
      case 'response.output_item.added':
        if (event.item.type === 'message' && event.item.phase === 'commentary')
          this.commentary.add(event.item.id);
        break;
      case 'response.output_text.delta':
        this.delta(event.item_id, partOf(event), event.delta);
        break;
      case 'response.output_text.done':
        this.done(event.item_id, partOf(event), event.text);
        break;
      case 'response.output_item.done': {
        const step = stepOf(event.item);
        if (!step) break;
        this.state.stepsRead += 1;
        if (this.state.stepsRead > this.state.steps) this.progress(step);
        break;
      }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.folded.ended = event.response;
        break;
      default:
      // Any other event, known or unknown, adds nothing to the log.
    }
  }

  private delta(itemId: string, part: string, delta: string): void {
    if (this.commentary.has(itemId)) return;
    const { state } = this;
    if (!this.isOpen(part) || (state.unsure && !state.held)) return;
    const { text, rest } = splitMarks((state.held ?? '') + delta);
    state.held = rest;
    // An earlier release, which knows of no held text, waits for the end of the part.
    state.unsure = rest === '' ? undefined : 'part';
    this.add(text);
  }

  private done(itemId: string, part: string, text: string): void {
    if (this.commentary.has(itemId)) return;
    if (!this.isOpen(part) || this.state.unsure === 'rest') return;
    const whole = withoutMarks(text).toWellFormed();
    const emitted = this.text.slice(this.state.partStart);
    if (whole.startsWith(emitted)) {
      this.add(whole.slice(emitted.length));
      this.state.part = undefined;
      this.state.unsure = undefined;
      this.state.held = undefined;
    } else {
      this.state.unsure = 'rest';
    }
  }

  /** Opens the part if none is open. Parts come one after the other, so an event of another part shows that one is missing. */
  private isOpen(part: string): boolean {
    if (this.state.part === undefined) this.begin(part);
    if (this.state.part === part) return true;
    this.state.unsure = 'rest';
    this.state.held = undefined;
    return false;
  }

  private begin(part: string): void {
    this.state.part = part;
    this.state.held = undefined;
    this.state.partStart = this.text.length;
  }

  private add(text: string): void {
    if (text === '') return;
    const gap = this.gap();
    const added = gap + text.toWellFormed();
    this.state.partStart += gap.length;
    this.text += added;
    this.folded.text += added;
    const last = this.folded.events.at(-1);
    if (last?.type === 'output_text') last.data.text += added;
    else
      this.folded.events.push({ type: 'output_text', data: { text: added } });
  }

  /** Of the first text of a message. */
  private gap(): string {
    const { part = '', partStart } = this.state;
    const isFirst = this.text.length === partStart && !/\/[1-9]/.test(part);
    return isFirst ? gapAfter(this.text) : '';
  }

  private progress({ kind, detail }: Step): void {
    const { progress } = this.state;
    this.state.steps += 1;
    if (kind === 'web_search') progress.searches += 1;
    if (kind === 'open_page') progress.pages_opened += 1;
    progress.last_step = detail || kind;
    this.folded.events.push({ type: 'progress', data: { kind, detail } });
  }
}

function isFinished(item: ResponseOutputItem): boolean {
  const status = 'status' in item ? (item.status as string) : undefined;
  return !status || ['completed', 'failed', 'incomplete'].includes(status);
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function partOf({
  item_id,
  content_index,
}: {
  item_id: string;
  content_index: number;
}): string {
  return `${item_id}/${content_index}`;
}
