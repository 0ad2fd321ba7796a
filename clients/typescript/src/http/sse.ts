/** One frame of an event stream. */
export interface SseFrame {
  /** Undefined without an `id` field; empty for an `id` field without a value. */
  id?: string;
  /** `message` unless the frame names its event. */
  event: string;
  data: string;
}

/**
 * Parses https://html.spec.whatwg.org/multipage/server-sent-events.html from byte chunks of any size. A frame without
 * its final blank line is discarded, because it may be incomplete.
 */
export class SseParser {
  private readonly decoder = new TextDecoder();
  private line = '';
  /** The last line ended with a carriage return; a line feed that follows belongs to it. */
  private returned = false;
  private id: string | undefined;
  private event = '';
  private data: string[] = [];

  /** Returns the frames that `bytes` complete. */
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
