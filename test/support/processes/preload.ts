import { join } from 'node:path';

const BUILT = join(__dirname, '../../../dist/test/faults/preload');

/** The environment that loads a script of `test/faults/preload` into a process first. */
export function preload(
  script: string,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    ...env,
    NODE_OPTIONS: [env.NODE_OPTIONS, `--require=${join(BUILT, script)}.js`]
      .filter(Boolean)
      .join(' '),
  };
}

/** The environment with which accounts of money stay at the day of this call: midnight ends no sum of a test. */
export function sameDay(): Record<string, string> {
  return preload('same-day', { SAME_DAY: String(Date.now()) });
}
