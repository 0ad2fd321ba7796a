import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import { AppError } from '../../../platform/errors';
import {
  type HostedToolset,
  hostedToolset,
} from '../../../llm/responses/hosted-toolset';
import { LearntModels } from '../../../llm/models/learnt-models';
import { ModelChoice } from '../../../llm/models/model-choice';
import {
  type ModelProfile,
  researchProfileOf,
} from '../../../llm/models/model-profile';
import {
  noteContext,
  outputTokensOf,
} from '../../../llm/models/context-window';
import { modelCall } from '../../../llm/upstream/model-span';
import { UpstreamClient } from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import { report } from '../../../platform/metrics/facts';
import { pause, pauseAfter } from '../../../platform/pause';
import type { ActiveRun } from '../../../runs/worker/active-run';
import { RateLimitCooldown } from '../rate-limit-cooldown';
import { sourcesFault, toolsFor } from '../../arguments/data-sources';
import { Semaphore } from '../../../platform/semaphore';
import { type PurchaseRequest, PurchaseRequests } from './purchase-request';
import type { ResearchArguments } from '../../arguments/research-arguments';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import { isPassing, waitReasonOf } from '../../../llm/upstream/endpoint-wait';
import type { CreateRequest, PurchasedRun } from '../research-protocol';
import { ResearchProtocols } from '../protocol-registry';

/** Creates in flight at once in one process. */
const PACE = { firstMs: 1_000, maxMs: 30_000 };
const MAX_PURCHASES = 256;

/**
 * Purchases a run, once. The one request that costs money is repeated only if the endpoint's reply proves that nothing was
 * begun. The attempt is on record before the request, so that a crash in between is detected.
 */
@Injectable()
export class Purchase {
  private readonly requests: PurchaseRequests;
  private readonly semaphore = new Semaphore(MAX_PURCHASES);
  private readonly log = new Logger('HostedTools');
  private readonly warned = new Set<string>();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly models: ModelChoice,
    private readonly cooldown: RateLimitCooldown,
    private readonly config: AppConfig,
    protocols: ResearchProtocols,
    private readonly learnt: LearntModels,
  ) {
    this.requests = new PurchaseRequests(protocols, learnt);
  }

  /**
   * @param run when it is stopped, no further attempt is begun. @param signal aborts the attempt under way.
   * @throws AppError if nothing was purchased; UpstreamError of unknown effect; the reason of `signal`, after which the
   * effect is unknown as well.
   */
  async create(
    id: string,
    args: ResearchArguments,
    writer: HostedRunWriter,
    run: ActiveRun,
    signal: AbortSignal,
  ): Promise<PurchasedRun> {
    const stop = run.signal;
    let request: PurchaseRequest | undefined;
    let caveat: string | undefined;
    for (let attempt = 0, previous = ''; ; attempt += 1) {
      const [model] = (await this.models.known()).research;
      const hosted = this.hostedFor(model, args);
      const profile = this.profileOf(model);
      if (!request || previous !== model)
        request = this.requests.of(profile, model);
      previous = model;
      const current = request;
      await this.cooldown.wait(model, stop, 0, (ms) => {
        if (ms > run.leftMs) throw new AppError('upstream_rate_limited');
        return writer.reportWait('limited', ms);
      });
      try {
        return await this.semaphore.use(stop, async () => {
          stop.throwIfAborted();
          if (current.caveat && current.caveat !== caveat) {
            caveat = current.caveat;
            this.warn(`${model}: ${caveat}`);
            await writer.enterPhase(writer.phase, caveat);
          }
          const attemptId = randomUUID();
          await writer.recordAttempt(attemptId, model);
          report('purchase_sent', { model });
          const purchased = await this.post(
            id,
            attemptId,
            model,
            current,
            hosted,
            args,
            signal,
          );
          this.requests.remember(model, current);
          return purchased;
        });
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.effect === 'unknown')
          throw error;
        await writer.recordAttempt('');
        report('purchase_settled', { outcome: 'refused' });
        noteContext(this.learnt, model, error);
        if (this.hasAnotherModel(error, model)) continue;
        const metadata = { invocation_id: id, attempt_id: '' };
        const create = this.createOf(model, hosted, args);
        if (current.degrade(error, { ...create, metadata })) continue;
        if (!isPassing(error)) throw error;
        const ms = pauseAfter(attempt, PACE, error.fault.retryAfterMs);
        const limited = error.code === 'upstream_rate_limited';
        if (limited) await this.cooldown.start(model, ms);
        if (ms > run.leftMs) throw error;
        if (limited) continue;
        await writer.reportWait(waitReasonOf(error), ms);
        await pause(ms, stop);
      }
    }
  }

  private async post(
    id: string,
    attemptId: string,
    model: string,
    request: PurchaseRequest,
    hosted: HostedToolset,
    args: ResearchArguments,
    signal: AbortSignal,
  ): Promise<PurchasedRun> {
    const { background, protocol } = request;
    const metadata = { invocation_id: id, attempt_id: attemptId };
    const create = this.createOf(model, hosted, args);
    const body = request.body({ ...create, metadata });
    const { path } = protocol;
    const call = { method: 'POST', path, body, signal, once: true } as const;
    const reply = await modelCall(model, () => this.upstream.stream(call));
    const attempt = { id: attemptId, runId: id, model };
    return { ...(await protocol.purchased(reply, attempt)), background };
  }

  private createOf(
    model: string,
    hosted: HostedToolset,
    args: ResearchArguments,
  ): Omit<CreateRequest, 'profile' | 'metadata'> {
    const isPlain = args.engine === 'plain';
    const maxTokens = outputTokensOf(model, this.config, this.learnt);
    return { model, hosted, args, ...(isPlain && { maxTokens }) };
  }

  /** @throws AppError if the model does not take the requested sources, or they are no longer configured. */
  private hostedFor(
    model: string,
    { data_sources, engine }: ResearchArguments,
  ): HostedToolset {
    const { hosted } = this.config;
    const profile = this.profileOf(model);
    if (sourcesFault(data_sources, profile, hosted))
      throw new AppError('tool_unavailable');
    const hostedTools = hostedToolset(
      engine === 'plain' ? [] : toolsFor(data_sources, hosted),
      profile,
      hosted,
    );
    if (!profile.completions)
      for (const name of hostedTools.unsupported)
        this.warn(`${model} does not take ${name}`);
    return hostedTools;
  }

  private profileOf(model: string): ModelProfile {
    return researchProfileOf(model, this.config.upstream.modelProfiles);
  }

  private warn(line: string): void {
    if (!this.warned.has(line)) this.log.warn(line);
    this.warned.add(line);
  }

  /** The endpoint does not have the model, and another one is configured. */
  private hasAnotherModel(error: UpstreamError, model: string): boolean {
    return (
      error.code === 'model_not_found' && this.models.withoutResearch(model)
    );
  }
}
