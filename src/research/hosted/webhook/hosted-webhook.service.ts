import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { AppError } from '../../../platform/errors';
import { UpstreamClient } from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import { RunKinds } from '../../../runs/queue/run-kinds';
import { WorkerSignals } from '../../../runs/queue/worker-signals';
import { PurchaseStore } from '../record/purchase.store';
import { RESEARCH_JOB } from '../../research-queue';

/** The sender of the event waits for a reply meanwhile. */
const RETRIEVE_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** The metadata that `buildResponsesRequest` puts on every run. */
const purchased = z.object({
  id: z.string().nullish(),
  metadata: z.object({
    invocation_id: z.string().regex(/^inv_[0-9a-f]{32}$/),
    attempt_id: z.uuid(),
  }),
});

/**
 * Signals the worker of a run that its response has ended. An event may be false, late or repeated: it only triggers a
 * poll, and brings the id of a run whose create reply was lost.
 */
@Injectable()
export class HostedWebhookService {
  private readonly log = new Logger('HostedWebhookService');

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly purchases: PurchaseStore,
    private readonly signals: WorkerSignals,
    private readonly kinds: RunKinds,
  ) {}

  /**
   * Idempotent. Ignores responses that were not purchased here.
   * @throws AppError `webhook_not_handled` while the endpoint gives no definite reply.
   */
  async handle(responseId: string): Promise<void> {
    const response = purchased.safeParse(await this.retrieve(responseId));
    if (!response.success) return;
    const { invocation_id: id, attempt_id: attempt } = response.data.metadata;
    // Of another response: the run that it names has not bought this one.
    if ((response.data.id ?? responseId) !== responseId) throw notHandled();
    const { outcome, held } = await this.purchases.adoptLost(
      id,
      attempt,
      responseId,
    );
    this.log.debug({ invocation_id: id, outcome, held });
    if (outcome !== 'adopted' && outcome !== 'known') return;
    await this.signals.send('news', id);
    if (!held) await this.kinds.dispatcherOf(RESEARCH_JOB).promote(id);
  }

  /** Undefined if the endpoint knows no such response. */
  private async retrieve(responseId: string): Promise<unknown> {
    try {
      return await this.upstream.json({
        method: 'GET',
        path: `/responses/${encodeURIComponent(responseId)}`,
        signal: AbortSignal.timeout(RETRIEVE_MS),
      });
    } catch (error) {
      if (error instanceof UpstreamError && error.fault.status === 404)
        return undefined;
      throw notHandled(error);
    }
  }
}

function notHandled(cause?: unknown): AppError {
  return new AppError('webhook_not_handled', undefined, {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
