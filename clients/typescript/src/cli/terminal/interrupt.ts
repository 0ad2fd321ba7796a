import { sleep } from '../../http/clock.js';
import type { Output } from './output.js';

/** Time limit for finding or cancelling a run, in milliseconds. */
const CANCEL_MS = 10_000;

/** Work that continues after this process exits. */
export interface ActiveRun {
  id: string;
  cancel(): Promise<unknown>;
  /** Prefix of the commands that resume it; undefined if it cannot be resumed. */
  prefix?: string;
}

/** Handles Ctrl-C: detaches from a run that can be resumed and cancels any other. On a terminal it asks first. */
export class Interrupt {
  /** Finds the active run; undefined if nothing would continue. */
  findRun: (() => Promise<ActiveRun>) | undefined;
  /** The active run, once it has been found. */
  tracked: ActiveRun | undefined;
  private prompting = false;
  private ending = false;

  constructor(private readonly output: Output) {
    process.on('SIGINT', () => this.onSigint());
  }

  track(run: ActiveRun): void {
    this.tracked = run;
    this.findRun = async () => run;
  }

  /** The run has ended. */
  untrack(): void {
    this.tracked = undefined;
    this.findRun = undefined;
  }

  /** Returns the exit code of `run`, or never if Ctrl-C is ending the process. */
  async guard(run: () => Promise<number>): Promise<number> {
    const code = await run();
    // An open standard input would keep the process alive.
    process.stdin.pause();
    // Detaching or cancelling must finish before the process exits.
    return this.ending ? new Promise<never>(() => undefined) : code;
  }

  private onSigint(): void {
    if (this.ending) return;
    const { stdin, stderr } = process;
    // After end of input on the terminal, no answer can be read.
    const canAsk = stdin.isTTY && !stdin.readableEnded && stderr.isTTY;
    if (this.findRun && canAsk && !this.prompting)
      void this.prompt(this.findRun);
    else void this.exit();
  }

  private async prompt(findRun: () => Promise<ActiveRun>): Promise<void> {
    this.prompting = true;
    const run = await withinCancelTimeout(findRun).catch(() => undefined);
    if (this.ending || this.findRun === undefined) return;
    if (run) for (const line of resumeHints(run)) this.output.log(line);
    this.output.live.ask('Cancel it now? [y/N] ');
    process.stdin.setEncoding('utf8').once('data', (line) => {
      process.stdin.pause();
      this.prompting = false;
      this.output.live.answered();
      if (/^y$/i.test(String(line).trim())) void this.exit(true);
    });
    process.stdin.resume();
  }

  private async exit(cancel = false): Promise<void> {
    this.ending = true;
    this.output.close();
    if (this.findRun !== undefined)
      process.stderr.write(`${await this.finish(this.findRun, cancel)}\n`);
    process.exit(130);
  }

  private async finish(
    findRun: () => Promise<ActiveRun>,
    cancel: boolean,
  ): Promise<string> {
    let run: ActiveRun;
    try {
      run = await withinCancelTimeout(findRun);
    } catch {
      return 'sonde: a run may have started; its id is unknown';
    }
    if (!cancel && run.prefix !== undefined) return resumeHints(run).join('\n');
    try {
      await withinCancelTimeout(() => run.cancel());
      return `sonde: ${run.id} is cancelled; cost incurred so far is not refunded`;
    } catch {
      const failed = `sonde: ${run.id} could not be cancelled`;
      return [failed, ...resumeHints(run)].join('\n');
    }
  }
}

/** Messages that explain how to resume or cancel the run. */
export function resumeHints({ id, prefix }: ActiveRun): string[] {
  const first = `sonde: ${id} is still running and incurs cost until it ends`;
  if (prefix === undefined) return [first];
  return [
    first,
    `  to resume: ${prefix}sonde attach ${id}`,
    `  to cancel: ${prefix}sonde cancel ${id}`,
  ];
}

function withinCancelTimeout<T>(what: () => Promise<T>): Promise<T> {
  const late = sleep(CANCEL_MS).then(() => {
    throw new Error('too late');
  });
  return Promise.race([what(), late]);
}

/** Options of the calls that find and cancel a run. */
export const CANCEL_TIMEOUT = { timeoutMs: CANCEL_MS };
