import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STAND = fileURLToPath(
  new URL('../../dist/test/clients/stand.js', import.meta.url),
);
/** Leaves enough time to cancel a running research. */
const RESEARCH_MS = 1_000;

/** Starts a stand that requires API keys. Returns its URLs and a function that stops it. */
export async function startStand() {
  const child = spawn(process.execPath, [STAND], {
    env: {
      ...process.env,
      STAND_API_KEYS: 'true',
      STAND_RESEARCH_MS: String(RESEARCH_MS),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    ended.then(() => Promise.reject(new Error('the stand did not start'))),
  ]);
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  return { ...JSON.parse(line), stop };
}
