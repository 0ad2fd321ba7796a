import { writeFileSync } from 'node:fs';

const BEAT_MS = 5_000;

/**
 * Writes `file` again and again for as long as the process turns and is `well`, so that a container without a port can be
 * asked whether it is alive: by the age of the file.
 * @returns what ends it.
 */
export function startHeartbeat(file: string, well: () => boolean): () => void {
  const beat = (): void => {
    if (well()) writeFileSync(file, new Date().toISOString());
  };
  beat();
  const timer = setInterval(beat, BEAT_MS);
  return () => clearInterval(timer);
}
