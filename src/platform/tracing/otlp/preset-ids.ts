import { createHash } from 'node:crypto';
import { RandomIdGenerator } from '@opentelemetry/sdk-trace';

/** Random ids, except for the span of a run: every process derives the same one from the id of the run. */
export class PresetIds extends RandomIdGenerator {
  private preset?: string;

  /** Spans that `start` begins have this id. */
  with<T>(spanId: string, start: () => T): T {
    this.preset = spanId;
    try {
      return start();
    } finally {
      this.preset = undefined;
    }
  }

  override generateSpanId(): string {
    return this.preset ?? super.generateSpanId();
  }
}

/** The id of the span of a run. */
export function spanIdOf(runId: string): string {
  const id = createHash('sha256').update(runId).digest('hex').slice(0, 16);
  return /^0+$/.test(id) ? '0000000000000001' : id;
}
