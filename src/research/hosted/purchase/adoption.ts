import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import type { Claim } from '../../../runs/store/run-claim';
import { RunReader } from '../../../runs/store/run-reader';
import type { ActiveRun } from '../../../runs/worker/active-run';

/** How often the record is read for an id that a webhook has stored; the worker's signal is faster. */
const POLL_MS = 10_000;

/** What becomes of an attempt of unknown outcome. */
@Injectable()
export class Adoption {
  constructor(
    private readonly reader: RunReader,
    private readonly config: AppConfig,
  ) {}

  /**
   * Waits for a webhook to bring the id of what the attempt has bought; for half of the time left if the policy purchases
   * again.
   * @throws the reason of the run's signal.
   */
  async wait(
    { id, remainingMs }: Pick<Claim, 'id' | 'remainingMs'>,
    run: ActiveRun,
  ): Promise<string | undefined> {
    const { upstream, research } = this.config;
    if (upstream.webhookSecrets.length === 0) return undefined;
    const waitMs =
      research.ambiguousSubmit === 'fail' ? Infinity : remainingMs / 2;
    const until = performance.now() + waitMs;
    for (;;) {
      const { upstreamId } = (await this.reader.read(id)) ?? {};
      const leftMs = until - performance.now();
      if (upstreamId || leftMs <= 0) return upstreamId ?? undefined;
      await run.rest(Math.min(leftMs, POLL_MS));
      run.signal.throwIfAborted();
    }
  }
}
