import { signal } from '@preact/signals';
import { api, read, type Schemas } from '../api/client';
import type { Call } from './conversation';
import { EventStream, type Frame } from '../api/event.stream';

export type ChatRecord = Schemas['ChatDto'];

type Delta = Schemas['MessageDelta'];
type Progress = Schemas['ToolProgress'];

/** One chat while it is answered. */
export class ChatFollower {
  readonly record = signal<ChatRecord>();
  readonly calls = signal<readonly Call[]>([]);
  /** The part that is written now; each turn of the model is a part, the last one is the answer. */
  readonly text = signal('');
  readonly error = signal<unknown>();
  private readonly stream: EventStream;
  private part = -1;
  private isClosed = false;

  constructor(private readonly id: string) {
    this.stream = new EventStream(
      `api/v1/chat/${encodeURIComponent(id)}/events`,
      (frame) => this.apply(frame),
      (error) => {
        this.error.value = error;
      },
    );
    void this.refresh();
  }

  get connection() {
    return this.stream.connection;
  }

  close(): void {
    this.isClosed = true;
    this.stream.close();
  }

  async refresh(): Promise<void> {
    try {
      const record = await read(
        api.GET('/api/v1/chat/{chat_id}', {
          params: { path: { chat_id: this.id } },
        }),
      );
      if (!this.isClosed) this.record.value = record;
    } catch (error) {
      if (!this.isClosed) this.error.value = error;
    }
  }

  private apply({ type, json }: Frame): void {
    const { event, data } = { event: type, data: json } as Schemas['ChatEvent'];
    if (event === 'delta') this.write(data);
    else if (event === 'tool_call' || event === 'tool_result') this.note(data);
    else if (event === 'tool_progress') this.progress(data);
    else if (event === 'gap') this.reset();
    else if (event !== 'handoff') void this.refresh();
  }

  private reset(): void {
    this.calls.value = [];
    this.text.value = '';
    this.part = -1;
  }

  private write({ contents = [] }: Delta): void {
    for (const { index, text } of contents) {
      if (text === undefined) continue;
      if (index > this.part) {
        this.part = index;
        this.text.value = '';
      }
      if (index === this.part) this.text.value += text;
    }
  }

  private note(call: Call): void {
    const others = this.calls.value.filter(
      (one) => one.call_id !== call.call_id,
    );
    this.calls.value = [...others, call];
  }

  private progress(reported: Progress): void {
    const { call_id, status } = reported;
    const detail =
      reported.type === 'progress' ? reported.data.detail : undefined;
    this.calls.value = this.calls.value.map((one) =>
      one.call_id === call_id
        ? { ...one, status, ...(detail !== undefined && { detail }) }
        : one,
    );
  }
}
