import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fault } from './flags.js';
import { Live, type Step } from './live.js';

/** Standard output has the answer and nothing else; what is said of it goes to standard error. */
export class Output {
  readonly live = new Live();
  /** What was written of the answer. */
  text = '';
  private closed = false;
  /** On a terminal: text whose last line is not ended yet. */
  private inLine = false;

  constructor(private readonly file: string | undefined) {}

  /** A piece of the answer. */
  write(piece: string): void {
    if (this.closed || piece === '') return;
    this.text += piece;
    if (this.file === undefined) this.print(piece);
  }

  /** Something that is known by a name, if there is any. */
  note(name: string, value: string | null): void {
    if (value !== null) this.say(`${name}: ${value}`);
  }

  /** A step of a run: in the live line, or a line of its own; never in the middle of a text. */
  progress(step: Step): void {
    const line = this.live.progress(step);
    if (line !== undefined && !this.inLine) this.say(line);
  }

  /** A line on standard error. */
  say(line: string): void {
    if (this.closed) return;
    this.live.clear();
    if (process.stderr.isTTY) this.endLine();
    process.stderr.write(`${line}\n`);
  }

  /** The answer is whole. False: the file could not be written, and it is on standard output instead. */
  finish(): boolean {
    this.live.stop();
    if (this.isShown()) this.endLine();
    else if (this.text !== '' && !this.text.endsWith('\n')) this.write('\n');
    if (this.file === undefined || this.text === '' || this.closed) return true;
    try {
      writeFileSync(this.file, this.text);
      return true;
    } catch {
      this.say(`sonde: --output: "${this.file}" cannot be written`);
      this.print(this.text);
      return false;
    }
  }

  /** Nothing more is said. */
  close(): void {
    this.live.stop();
    this.closed = true;
  }

  private print(text: string): void {
    // What is under way is seen from here on, and a line of its own would be in its way.
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

/** Refuses a file that an answer could not be written to, before it is paid for. */
export function checkOutput(file: string | undefined): void {
  if (file === undefined) return;
  const wrong = faultOfFile(file);
  if (wrong !== null) fault(`--output: ${wrong}`);
}

function faultOfFile(file: string): string | null {
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
    // Whatever it is, it will not be written.
  }
  return `"${file}" cannot be written`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
