/** One frame of an event stream. */
export interface SseFrame {
  /** Absent if the frame has none; empty for `id` without a value. */
  id?: string;
  /** `message` unless the frame says otherwise. */
  event: string;
  data: string;
}

/**
 * Reads frames as https://html.spec.whatwg.org/multipage/server-sent-events.html has it, however the bytes are split.
 * A frame that is not ended by a blank line is no frame: it may be half of one.
 */
export class SseParser {
  private readonly decoder = new TextDecoder();
  private line = '';
  /** A carriage return ended the last line; a line feed right behind it belongs to it. */
  private returned = false;
  private id: string | undefined;
  private event = '';
  private data: string[] = [];

  /** The frames that `bytes` complete. */
  push(bytes: Uint8Array): SseFrame[] {
    let text = this.decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    if (this.returned && text.startsWith('\n')) text = text.slice(1);
    this.returned = text.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = this.line + lines[0];
    this.line = lines.pop()!;
    return lines.flatMap((line) => this.take(line) ?? []);
  }

  private take(line: string): SseFrame | undefined {
    if (line === '') return this.end();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    return undefined;
  }

  private end(): SseFrame | undefined {
    const { id, event, data } = this;
    this.id = undefined;
    this.event = '';
    this.data = [];
    if (data.length === 0) return undefined;
    return {
      ...(id !== undefined && { id }),
      event: event || 'message',
      data: data.join('\n'),
    };
  }
}
