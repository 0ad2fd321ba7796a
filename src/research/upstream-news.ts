import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { AppError } from '../errors';
import { UpstreamClient } from '../llm/upstream.client';
import { UpstreamError } from '../llm/upstream.error';
import { Carriers } from '../tool-invocations/carriers';
import { InvocationBell } from '../tool-invocations/invocation.bell';
import { InvocationStore } from '../tool-invocations/invocation.store';
import { RESEARCH_JOB } from './research.queue';

/** Whoever brought the news waits for a reply. */
const ASK_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** What `buildResearchRequest` has put on a response that was bought here. */
const bought = z.object({
  metadata: z.object({
    invocation_id: z.string().regex(/^inv_[0-9a-f]{32}$/),
    attempt_id: z.uuid(),
  }),
});

/**
 * Brings the news that a response has ended to whoever follows it. News may be false, late or repeated: all it does is
 * to make somebody look, and to name a run whose reply was lost.
 */
@Injectable()
export class UpstreamNews {
  private readonly log = new Logger('UpstreamNews');

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly store: InvocationStore,
    private readonly bell: InvocationBell,
    private readonly carriers: Carriers,
  ) {}

  /**
   * Safe to repeat. Does nothing about a response that was not bought here.
   * @throws AppError `webhook_not_handled` while the endpoint cannot be asked.
   */
  async handle(responseId: string): Promise<void> {
    const response = bought.safeParse(await this.retrieve(responseId));
    if (!response.success) return;
    const { invocation_id: id, attempt_id: attempt } = response.data.metadata;
    const { outcome, held } = await this.store.adoptLost(
      id,
      attempt,
      responseId,
    );
    this.log.debug({ invocation_id: id, outcome, held });
    if (outcome !== 'adopted' && outcome !== 'known') return;
    await this.bell.ring('news', id);
    if (!held) await this.carriers.of(RESEARCH_JOB).hasten(id);
  }

  /** Undefined if the endpoint knows no such response. */
  private async retrieve(responseId: string): Promise<unknown> {
    try {
      return await this.upstream.json({
        method: 'GET',
        path: `/responses/${encodeURIComponent(responseId)}`,
        signal: AbortSignal.timeout(ASK_MS),
      });
    } catch (error) {
      if (error instanceof UpstreamError && error.fault.status === 404)
        return undefined;
      throw new AppError('webhook_not_handled', undefined, {
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }
}
