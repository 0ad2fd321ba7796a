import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../usage-error.js';
import { Live, type Step } from './live.js';

/** Writes the answer to standard output, or to a file, and all messages to standard error. */
export class Output {
  readonly live = new Live();
  /** The part of the answer written so far. */
  text = '';
  private closed = false;
  /** On a terminal: the last line of text is not terminated. */
  private inLine = false;

  constructor(private readonly file: string | undefined) {}

  /** Writes a piece of the answer. */
  write(piece: string): void {
    if (this.closed || piece === '') return;
    this.text += piece;
    if (this.file === undefined) this.print(piece);
  }

  /** Prints a named value, unless it is null. */
  field(name: string, value: string | null): void {
    if (value !== null) this.log(`${name}: ${value}`);
  }

  /** Shows a step in the status line or on a line of its own, but never within a line of text. */
  progress(step: Step): void {
    const line = this.live.progress(step);
    if (line !== undefined && !this.inLine) this.log(line);
  }

  /** Prints a line to standard error. */
  log(line: string): void {
    if (this.closed) return;
    this.live.clear();
    if (process.stderr.isTTY) this.endLine();
    process.stderr.write(`${line}\n`);
  }

  /** Completes the answer. Returns false if the file could not be written; the answer then goes to standard output. */
  finish(): boolean {
    this.live.stop();
    if (this.isShown()) this.endLine();
    else if (this.text !== '' && !this.text.endsWith('\n')) this.write('\n');
    if (this.file === undefined || this.text === '' || this.closed) return true;
    try {
      writeFileSync(this.file, this.text);
      return true;
    } catch {
      this.log(`sonde: --output: "${this.file}" cannot be written`);
      this.print(this.text);
      return false;
    }
  }

  /** Suppresses all further output. */
  close(): void {
    this.live.stop();
    this.closed = true;
  }

  private print(text: string): void {
    // The text itself shows the progress, and a status line would overwrite it.
    if (this.isShown()) this.live.end();
    else this.live.clear();
    process.stdout.write(text);
    this.inLine = this.isShown() && !text.endsWith('\n');
  }

  private endLine(): void {
    if (this.inLine) process.stdout.write('\n');
    this.inLine = false;
  }

  private isShown(): boolean {
    return this.file === undefined && process.stdout.isTTY;
  }
}

/** Rejects an unwritable output file before the answer is paid for. */
export function checkOutput(file: string | undefined): void {
  if (file === undefined) return;
  const reason = invalidFileReason(file);
  if (reason !== null) usageError(`--output: ${reason}`);
}

function invalidFileReason(file: string): string | null {
  const folder = dirname(file);
  try {
    const is = statSync(file, { throwIfNoEntry: false });
    if (is?.isDirectory()) return `"${file}" is a folder`;
    if (!is && (file.endsWith('/') || !isFolder(folder)))
      return `the folder of "${file}" does not exist`;
    if (file !== '') {
      accessSync(is ? file : folder, constants.W_OK);
      return null;
    }
  } catch {
    // The path is reported as not writable.
  }
  return `"${file}" cannot be written`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
