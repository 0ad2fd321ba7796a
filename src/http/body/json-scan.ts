import { AppError } from '../../errors';

/** Code that walks a body recurses, and must not run out of stack. */
const MAX_DEPTH = 200;
/** Values and members of one body. Parsing and walking so many takes milliseconds; a million take seconds. */
export const MAX_MEMBERS = 25_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** `[` and `{`, `]` and `}` differ in this bit alone. */
const BRACE_BIT = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Bounds the structure of JSON while its bytes arrive, before anything is built of them. */
export class JsonScan {
  private members = 0;
  private depth = 0;
  private inString = false;
  private escaped = false;

  /** @throws AppError `validation_failed` once the document is too deep or has too many members. */
  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.inString) this.inText(byte);
      else if (byte === QUOTE) this.inString = true;
      else if (byte === COMMA || byte === COLON) this.members += 1;
      else if ((byte & ~BRACE_BIT) === OPEN) this.enter();
      else if ((byte & ~BRACE_BIT) === CLOSE) this.depth -= 1;
    }
    if (this.members > MAX_MEMBERS)
      throw unfit(`has more than ${MAX_MEMBERS} values`);
  }

  private inText(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
  }

  private enter(): void {
    this.members += 1;
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw unfit(`is nested more than ${MAX_DEPTH} levels deep`);
  }
}

function unfit(message: string): AppError {
  return new AppError('validation_failed', `The body ${message}.`, {
    errors: [{ path: '', message }],
  });
}
