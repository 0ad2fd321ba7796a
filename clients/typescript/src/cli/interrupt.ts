import { sleep } from '../clock.js';
import type { Output } from './output.js';

/** How long cancelling may take, in milliseconds. */
const CANCEL_MS = 10_000;
const QUESTION = 'Cancel it? What it has cost so far is spent. [y/N] ';

/** What Ctrl-C does: what can be cancelled is, by default; what cannot is just left. */
export class Interrupt {
  /** Cancels what is under way at the moment; undefined: nothing that can be. */
  cancel: (() => Promise<unknown>) | undefined;
  private asking = false;
  private ending = false;

  constructor(private readonly output: Output) {
    process.on('SIGINT', () => this.pressed());
  }

  /** `run`, or 130 as soon as it was ended. */
  async guard(run: () => Promise<number>): Promise<number> {
    const code = await run();
    // Nobody waits for an answer any more, which would keep the process.
    process.stdin.pause();
    // What is cancelled ends too; how that is done is not to be cut short.
    return this.ending ? new Promise<never>(() => undefined) : code;
  }

  private pressed(): void {
    if (this.ending) return;
    const { stdin, stderr } = process;
    // Where the prompt was typed to its end, an answer is no longer read.
    const canAsk = stdin.isTTY && !stdin.readableEnded && stderr.isTTY;
    if (this.cancel && canAsk && !this.asking) this.ask();
    else void this.end();
  }

  private ask(): void {
    this.asking = true;
    this.output.live.ask(QUESTION);
    process.stdin.setEncoding('utf8').once('data', (line) => {
      process.stdin.pause();
      this.asking = false;
      this.output.live.answered();
      if (/^y$/i.test(String(line).trim())) void this.end();
    });
    process.stdin.resume();
  }

  private async end(): Promise<void> {
    this.ending = true;
    this.output.close();
    const late = sleep(CANCEL_MS).then(() => {
      throw new Error('too late');
    });
    await Promise.race([this.cancel?.(), ...(this.cancel ? [late] : [])]).catch(
      () => {
        process.stderr.write('sonde: it could not be cancelled, and goes on\n');
      },
    );
    process.exit(130);
  }
}

/** For the calls that cancel. */
export const CANCELLING = { timeoutMs: CANCEL_MS };
