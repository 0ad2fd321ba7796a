import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STAND = fileURLToPath(
  new URL('../../dist/test/clients/stand.js', import.meta.url),
);
/** Long enough to cancel a research that has begun. */
const RESEARCH_MS = 1_000;

/** A stand of the built service that asks for API keys: its URLs, and what ends it. */
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
