import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * ⏎ The path of Chromium: the variable CHROMIUM, or the first known name in the PATH.
 * @throws with what to install if there is none.
 */
export function findChromium(
  env: Record<string, string | undefined> = process.env,
): string {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = env.CHROMIUM
    ? [env.CHROMIUM]
    : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = paths.find(isExecutable);
  if (found) return found;
  throw new Error(
    env.CHROMIUM
      ? `CHROMIUM=${env.CHROMIUM} is not a program that can be run`
      : `the browser tests need Chromium (none of ${NAMES.join(', ')} is in the PATH): apt-get install chromium fonts-nanum, or set CHROMIUM to its path`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
