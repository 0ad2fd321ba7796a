import { writeFileSync } from 'node:fs';

const LIVENESS_INTERVAL_MS = 5_000;

/**
 * Writes `file` at this interval while the event loop turns and `healthy` returns true, so that the liveness probe of a
 * container without a port can check the age of the file.
 * @returns a function that stops it.
 */
export function keepLivenessFile(
  file: string,
  healthy: () => boolean,
): () => void {
  const beat = (): void => {
    if (healthy()) writeFileSync(file, new Date().toISOString());
  };
  beat();
  const timer = setInterval(beat, LIVENESS_INTERVAL_MS);
  return () => clearInterval(timer);
}
