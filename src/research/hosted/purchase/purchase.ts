import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppConfig } from '../../../config/config';
import { AppError } from '../../../errors';
import {
  type HostedOffer,
  hostedOffer,
} from '../../../llm/responses/hosted-tools';
import { ModelChoice } from '../../../llm/models/model.choice';
import {
  type ModelProfile,
  researchProfileOf,
} from '../../../llm/models/model.profile';
import {
  type EventStream,
  UpstreamClient,
} from '../../../llm/upstream/upstream.client';
import { isFinal } from '../../../llm/upstream/upstream.cause';
import { UpstreamError } from '../../../llm/upstream/upstream.error';
import { backoff, pause } from '../../../llm/upstream/retry';
import type { ActiveRun } from '../../../runs/worker/active-run';
import { RateLimitCooldown } from './rate-limit.cooldown';
import { boughtCompletion } from '../completions/completion.run';
import { sourcesFault, toolsFor } from '../../data.sources';
import { Semaphore } from './semaphore';
import { type PurchaseForm, PurchaseForms } from './purchase.form';
import type { ResearchArguments } from '../../research.arguments';
import type { HostedRunWriter } from '../hosted-run.writer';
import { waitAfter } from '../wait';

/** A run that was bought. */
export interface Bought {
  upstreamId: string;
  /** Which attempt to buy it was, if it was bought just now. */
  attemptId?: string;
  /** It goes on without the connection. */
  background: boolean;
  /** What came with the reply, if it came as a stream. */
  stream?: EventStream<ResponseStreamEvent>;
  /** What came, if it came whole. */
  response?: Response;
}

/** Requests that buy, under way at once in one process. */
const MAX_PURCHASES = 256;

/**
 * Buys a run, once. The one request that costs money is never repeated unless the endpoint said that it began nothing;
 * the intent is on record before it, so that a crash in between is seen for what it is.
 */
@Injectable()
export class Purchase {
  private readonly forms = new PurchaseForms();
  private readonly gate = new Semaphore(MAX_PURCHASES);
  private readonly log = new Logger('HostedTools');
  private readonly told = new Set<string>();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly models: ModelChoice,
    private readonly brake: RateLimitCooldown,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param run when it is stopped, no further attempt is begun. @param signal breaks off the one under way.
   * @throws AppError that says why nothing was bought; UpstreamError of unknown effect; the signal's reason while that
   * is not known.
   */
  async buy(
    id: string,
    args: ResearchArguments,
    journal: HostedRunWriter,
    run: ActiveRun,
    signal: AbortSignal,
  ): Promise<Bought> {
    const stop = run.signal;
    let form: PurchaseForm | undefined;
    let caveat: string | undefined;
    for (let attempt = 0, asked = ''; ; attempt += 1) {
      const [model] = (await this.models.known()).research;
      const hosted = this.hostedFor(model, args);
      const profile = this.profileOf(model);
      if (!form || asked !== model) form = this.forms.of(profile, model);
      asked = model;
      const using = form;
      await this.brake.pass(model, stop, 0, (ms) => {
        if (ms > run.leftMs) throw new AppError('upstream_rate_limited');
        return journal.waits('limited', ms);
      });
      try {
        return await this.gate.pass(async () => {
          stop.throwIfAborted();
          if (using.caveat && using.caveat !== caveat) {
            caveat = using.caveat;
            this.warn(`${model}: ${caveat}`);
            await journal.enter(journal.phase, caveat);
          }
          const attemptId = randomUUID();
          await journal.noteAttempt(attemptId);
          const bought = await this.post(
            id,
            attemptId,
            model,
            using,
            hosted,
            args,
            signal,
          );
          this.forms.remember(model, using);
          return bought;
        }, stop);
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.effect === 'unknown')
          throw error;
        await journal.noteAttempt('');
        if (this.hasAnotherModel(error, model)) continue;
        const metadata = { invocation_id: id, attempt_id: '' };
        if (using.stepDown(error, { model, hosted, args, metadata })) continue;
        if (error.definite || isFinal(error.code)) throw error;
        const ms = error.fault.retryAfterMs ?? backoff(attempt, 1_000, 30_000);
        const limited = error.code === 'upstream_rate_limited';
        if (limited) await this.brake.hit(model, ms);
        if (ms > run.leftMs) throw error;
        if (limited) continue;
        await journal.waits(waitAfter(error), ms);
        await pause(ms, stop);
      }
    }
  }

  private async post(
    id: string,
    attemptId: string,
    model: string,
    form: PurchaseForm,
    hosted: HostedOffer,
    args: ResearchArguments,
    signal: AbortSignal,
  ): Promise<Bought> {
    const { background, path } = form;
    const metadata = { invocation_id: id, attempt_id: attemptId };
    const body = form.body({ model, hosted, args, metadata });
    const reply = await this.upstream.stream<ResponseStreamEvent>({
      method: 'POST',
      path,
      body,
      signal,
    });
    if (form.completions) return boughtCompletion(reply, attemptId, model);
    if (reply.kind === 'json') {
      const response = reply.body as Response;
      const upstreamId = known(response?.id);
      return { upstreamId, attemptId, background, response };
    }
    return { attemptId, background, ...(await named(reply)) };
  }

  /** @throws AppError if the sources that were asked for are not to be had of this model, or no longer configured. */
  private hostedFor(
    model: string,
    { data_sources }: ResearchArguments,
  ): HostedOffer {
    const { hosted } = this.config;
    const profile = this.profileOf(model);
    if (sourcesFault(data_sources, profile, hosted))
      throw new AppError('tool_unavailable');
    const offer = hostedOffer(toolsFor(data_sources, hosted), profile, hosted);
    if (!profile.completions)
      for (const name of offer.left)
        this.warn(`${model} does not take ${name}`);
    return offer;
  }

  private profileOf(model: string): ModelProfile {
    return researchProfileOf(model, this.config.upstream.modelProfiles);
  }

  private warn(line: string): void {
    if (!this.told.has(line)) this.log.warn(line);
    this.told.add(line);
  }

  /** Whether the refusal was of the model, and there is another. */
  private hasAnotherModel(error: UpstreamError, model: string): boolean {
    return (
      error.code === 'model_not_found' && this.models.withoutResearch(model)
    );
  }
}

/**
 * Reads until the run has a name, and puts what was read back in front. A stream that begins with its failure names
 * nothing: a proxy whose connection broke before the first event makes up a response of its own.
 */
async function named({
  events,
  close,
}: EventStream<ResponseStreamEvent>): Promise<Omit<Bought, 'background'>> {
  const read: ResponseStreamEvent[][] = [];
  for (;;) {
    const { value, done } = await events.next();
    const batch = (done ? [] : value) as ResponseStreamEvent[];
    read.push(batch);
    const id = batch.map(nameIn).find(Boolean);
    if (id)
      return {
        upstreamId: id,
        stream: { events: putBack(read, events), close },
      };
    if (done || batch.some(({ type }) => FAILURES.includes(type))) {
      close();
      throw new UpstreamError('upstream_error', 'unknown');
    }
  }
}

const FAILURES = ['error', 'response.failed'];

function nameIn(event: ResponseStreamEvent): string | undefined {
  if (FAILURES.includes(event.type) || !('response' in event)) return undefined;
  return event.response?.id;
}

async function* putBack<T>(
  read: T[],
  rest: AsyncIterator<T>,
): AsyncGenerator<T> {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next())
    yield next.value;
}

function known(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id;
  throw new UpstreamError('upstream_error', 'unknown');
}
