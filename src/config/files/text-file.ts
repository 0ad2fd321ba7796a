import { readFileSync } from 'node:fs';

/** A file of the operator. Editors of Windows put a byte order mark before the first character, which is none of it. */
export function readTextFile(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}
