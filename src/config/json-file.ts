import { readFileSync } from 'node:fs';

type Fail = (fault: string) => never;

/** What the file holds. No piece of it is ever in a fault: it may hold secrets. */
export function readJsonFile(path: string, fail: Fail): unknown {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(`names a file that cannot be read (${code})`);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    // The rest of the message repeats a piece of the file.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? [];
    return fail(`names a file that is not JSON${place ? ` (${place})` : ''}`);
  }
}
