import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { type HostedOffer, hostedOffer } from '../llm/hosted.tools';
import { ModelChoice } from '../llm/model.choice';
import { profileOf } from '../llm/model-profile';
import { type EventStream, UpstreamClient } from '../llm/upstream.client';
import { isFinal } from '../llm/upstream.cause';
import { UpstreamError } from '../llm/upstream.error';
import { backoff, pause } from '../llm/backoff';
import { Brake } from './brake';
import { sourcesFault, toolsFor } from './data.sources';
import { Gate } from './gate';
import type { ResearchArguments } from './research.arguments';
import { buildResearchRequest } from './research.request';
import type { RunJournal } from './run.journal';

/** A run that was bought. */
export interface Bought {
  upstreamId: string;
  /** Which attempt to buy it was, if it was bought just now. */
  attemptId?: string;
  /** It goes on without the connection. */
  background: boolean;
  /** What came with the reply, if it came as a stream. */
  stream?: EventStream;
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
export class Submit {
  /** An endpoint that refused background mode is not asked for it again. */
  private background = true;
  private readonly gate = new Gate(MAX_PURCHASES);
  private readonly log = new Logger('HostedTools');
  private readonly told = new Set<string>();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly models: ModelChoice,
    private readonly brake: Brake,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param stop begins no further attempt. @param signal breaks off the one under way.
   * @throws AppError that says why nothing was bought; UpstreamError of unknown effect; the signal's reason while that
   * is not known.
   */
  async buy(
    id: string,
    args: ResearchArguments,
    journal: RunJournal,
    stop: AbortSignal,
    signal: AbortSignal,
  ): Promise<Bought> {
    for (let attempt = 0; ; attempt += 1) {
      const [model] = (await this.models.known()).research;
      const hosted = this.hostedFor(model, args);
      await this.brake.pass(model, stop);
      try {
        return await this.gate.pass(async () => {
          stop.throwIfAborted();
          const attemptId = randomUUID();
          await journal.noteAttempt(attemptId);
          return this.post(id, attemptId, model, hosted, args, signal);
        }, stop);
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.effect === 'unknown')
          throw error;
        await journal.noteAttempt('');
        if (this.canDoWithout(error, model)) continue;
        if (error.definite || isFinal(error.code)) throw error;
        const ms = error.fault.retryAfterMs ?? backoff(attempt, 1_000, 30_000);
        if (error.code === 'upstream_rate_limited')
          await this.brake.hit(model, ms);
        else await pause(ms, stop);
      }
    }
  }

  private async post(
    id: string,
    attemptId: string,
    model: string,
    hosted: HostedOffer,
    args: ResearchArguments,
    signal: AbortSignal,
  ): Promise<Bought> {
    const { background } = this;
    const body = buildResearchRequest({
      model,
      profile: profileOf(model, this.config.upstream.modelProfiles),
      hosted,
      args,
      background,
      metadata: { invocation_id: id, attempt_id: attemptId },
    });
    const reply = await this.upstream.stream({
      method: 'POST',
      path: '/responses',
      body,
      signal,
    });
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
    const { hosted, upstream } = this.config;
    const profile = profileOf(model, upstream.modelProfiles);
    if (sourcesFault(data_sources, profile, hosted))
      throw new AppError('tool_unavailable');
    const offer = hostedOffer(toolsFor(data_sources, hosted), profile, hosted);
    for (const name of offer.left) {
      const line = `${model} does not take ${name}`;
      if (!this.told.has(line)) this.log.warn(line);
      this.told.add(line);
    }
    return offer;
  }

  /** Whether the refusal was of something that another try can leave out: the model, or background mode. */
  private canDoWithout(error: UpstreamError, model: string): boolean {
    if (error.code === 'model_not_found')
      return this.models.withoutResearch(model);
    const { param, message } = error.fault;
    if (!this.background || error.fault.status !== 400) return false;
    if (param !== 'background' && !/background/i.test(message ?? ''))
      return false;
    this.background = false;
    return true;
  }
}

/** Reads until the run has a name, and puts what was read back in front. */
async function named({
  events,
  close,
}: EventStream): Promise<Omit<Bought, 'background'>> {
  const read: ResponseStreamEvent[][] = [];
  for (;;) {
    const { value, done } = await events.next();
    const batch = (done ? [] : value) as ResponseStreamEvent[];
    read.push(batch);
    const id = batch
      .map((event) => 'response' in event && event.response?.id)
      .find(Boolean);
    if (id)
      return {
        upstreamId: id,
        stream: { events: putBack(read, events), close },
      };
    if (done || batch.some(({ type }) => type === 'error')) {
      close();
      throw new UpstreamError('upstream_error', 'unknown');
    }
  }
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
