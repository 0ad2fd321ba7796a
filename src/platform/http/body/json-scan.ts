// By hand: streaming JSON parsers build values; this counts them before any is built.
import { AppError } from '../../errors';
import { MAX_BODY_DEPTH, MAX_BODY_VALUES } from './body-limits';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** `[` and `{`, and `]` and `}`, differ in this bit only. */
const BRACE_BIT = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Checks the depth and size of JSON while its bytes arrive, before anything is parsed. */
export class JsonScan {
  private values = 0;
  private depth = 0;
  private inString = false;
  private escaped = false;

  /** @throws AppError `validation_failed` if the document is too deep or has too many values. */
  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.inString) this.inText(byte);
      else if (byte === QUOTE) this.inString = true;
      else if (byte === COMMA || byte === COLON) this.values += 1;
      else if ((byte & ~BRACE_BIT) === OPEN) this.enter();
      else if ((byte & ~BRACE_BIT) === CLOSE) this.depth -= 1;
    }
    if (this.values > MAX_BODY_VALUES)
      throw invalidBody(`has more than ${MAX_BODY_VALUES} values`);
  }

  private inText(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
  }

  private enter(): void {
    this.values += 1;
    this.depth += 1;
    if (this.depth > MAX_BODY_DEPTH)
      throw invalidBody(`is nested more than ${MAX_BODY_DEPTH} levels deep`);
  }
}

function invalidBody(message: string): AppError {
  return new AppError('validation_failed', `The body ${message}.`, {
    errors: [{ path: '', message }],
  });
}
