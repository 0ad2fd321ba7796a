import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Starts a process that prints its URLs as one line of JSON and exits when its standard input closes. */
export async function startProcess<T>(
  file: string,
  env: Record<string, string> = {},
): Promise<T & { close(): Promise<void> }> {
  const child = spawn(process.execPath, [file], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => String(first)),
    ended.then(() => {
      throw new Error(`${file} exited before it printed its URLs`);
    }),
  ]);
  return {
    ...(JSON.parse(line) as T),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
