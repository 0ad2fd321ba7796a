import { sleep } from '../clock.js';
import type { Output } from './output.js';

/** How long finding and cancelling a run may take, in milliseconds. */
const CANCEL_MS = 10_000;

/** What goes on without its caller. */
export interface UnderWay {
  id: string;
  cancel(): Promise<unknown>;
  /** What stands before a command that comes back to it; undefined: no command does. */
  prefix?: string;
}

/** What Ctrl-C does: a run that one can come back to is left, any other cancelled; a terminal is asked first. */
export class Interrupt {
  /** Finds what is under way at the moment; undefined: nothing that would go on. */
  find: (() => Promise<UnderWay>) | undefined;
  /** The same once it is found. */
  known: UnderWay | undefined;
  private asking = false;
  private ending = false;

  constructor(private readonly output: Output) {
    process.on('SIGINT', () => this.pressed());
  }

  knows(run: UnderWay): void {
    this.known = run;
    this.find = async () => run;
  }

  /** It has ended. */
  forget(): void {
    this.known = undefined;
    this.find = undefined;
  }

  /** `run`, or 130 as soon as it was ended. */
  async guard(run: () => Promise<number>): Promise<number> {
    const code = await run();
    // Nobody waits for an answer any more, which would keep the process.
    process.stdin.pause();
    // How a run is left or cancelled is not to be cut short by its end.
    return this.ending ? new Promise<never>(() => undefined) : code;
  }

  private pressed(): void {
    if (this.ending) return;
    const { stdin, stderr } = process;
    // Where the prompt was typed to its end, an answer is no longer read.
    const canAsk = stdin.isTTY && !stdin.readableEnded && stderr.isTTY;
    if (this.find && canAsk && !this.asking) void this.ask(this.find);
    else void this.end();
  }

  private async ask(find: () => Promise<UnderWay>): Promise<void> {
    this.asking = true;
    const run = await inTime(find).catch(() => undefined);
    if (this.ending || this.find === undefined) return;
    if (run) for (const line of goesOn(run)) this.output.say(line);
    this.output.live.ask('Cancel it now? [y/N] ');
    process.stdin.setEncoding('utf8').once('data', (line) => {
      process.stdin.pause();
      this.asking = false;
      this.output.live.answered();
      if (/^y$/i.test(String(line).trim())) void this.end(true);
    });
    process.stdin.resume();
  }

  private async end(cancels = false): Promise<void> {
    this.ending = true;
    this.output.close();
    if (this.find !== undefined)
      process.stderr.write(`${await this.ended(this.find, cancels)}\n`);
    process.exit(130);
  }

  private async ended(
    find: () => Promise<UnderWay>,
    cancels: boolean,
  ): Promise<string> {
    let run: UnderWay;
    try {
      run = await inTime(find);
    } catch {
      return 'sonde: a run may have started; its id is unknown';
    }
    if (!cancels && run.prefix !== undefined) return goesOn(run).join('\n');
    try {
      await inTime(() => run.cancel());
      return `sonde: ${run.id} is cancelled; cost incurred so far is not refunded`;
    } catch {
      const failed = `sonde: ${run.id} could not be cancelled`;
      return [failed, ...goesOn(run)].join('\n');
    }
  }
}

/** Says how to come back to it. */
export function goesOn({ id, prefix }: UnderWay): string[] {
  const first = `sonde: ${id} is still running and incurs cost until it ends`;
  if (prefix === undefined) return [first];
  return [
    first,
    `  to resume: ${prefix}sonde attach ${id}`,
    `  to cancel: ${prefix}sonde cancel ${id}`,
  ];
}

function inTime<T>(what: () => Promise<T>): Promise<T> {
  const late = sleep(CANCEL_MS).then(() => {
    throw new Error('too late');
  });
  return Promise.race([what(), late]);
}

/** For the calls that find and cancel. */
export const CANCELLING = { timeoutMs: CANCEL_MS };
