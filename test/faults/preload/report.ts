import { writeSync } from 'node:fs';

const PAUSE_MS = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Writes a whole line to stderr before it returns, also where the reader of a full pipe is slow. */
export function report(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length;)
    try {
      at += writeSync(2, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(never, 0, 0, PAUSE_MS);
    }
}
