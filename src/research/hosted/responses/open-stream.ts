import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { EventStream } from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import type { ActiveRun } from '../../../runs/worker/active-run';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import type { BoughtRun } from '../research-protocol';
import { isOver, ownEvents } from './response-identity';
import type { ResponsesClient } from './responses.client';

/** How often a silent stream is checked. */
const SILENCE_MS = 10_000;
/** Checks in a row after which the response of a silent stream is retrieved. */
const MAX_SILENT_CHECKS = 3;

type Batch = IteratorResult<ResponseStreamEvent[]>;
/** What the endpoint has stored of the run; undefined: it does not return it. */
interface Retrieved {
  stored: Response | undefined;
}

/**
 * Reads one stream of a run. The response is retrieved beside it, so that an endpoint that stores nothing ends no run, and
 * a stream is left only for a response that the endpoint has returned and that goes on in the background.
 */
export class OpenStream {
  private readonly closing = new AbortController();
  private retrieving?: Promise<Retrieved>;
  /** As the stream says. */
  private inBackground = false;
  /** The run would end with the stream, as far as is known. */
  bound = false;

  constructor(
    private readonly bought: BoughtRun,
    private readonly stream: EventStream<ResponseStreamEvent>,
    private readonly responses: ResponsesClient,
    private readonly writer: HostedRunWriter,
    private readonly run: ActiveRun,
  ) {}

  /** Whether any reply of the endpoint has said that the run continues without the stream. */
  get confirmed(): boolean {
    return this.inBackground;
  }

  /**
   * Returns the response at its end, or one that goes on without the stream once `mayLeave`; `broken` if the stream ends
   * before the run, or goes on with another response.
   */
  async read(mayLeave: () => boolean): Promise<Response | 'broken'> {
    try {
      return await this.follow(mayLeave);
    } catch (error) {
      if (error instanceof UpstreamError) return 'broken';
      throw error;
    } finally {
      this.closing.abort();
      this.stream.close();
      void this.stream.events.return?.();
    }
  }

  private async follow(mayLeave: () => boolean): Promise<Response | 'broken'> {
    let next = this.next();
    for (let silentChecks = 0; ;) {
      if (!this.bound && mayLeave()) this.retrieve();
      const got = await this.run.rest<Batch | Retrieved>(
        SILENCE_MS,
        this.retrieving ? Promise.race([next, this.retrieving]) : next,
      );
      this.run.signal.throwIfAborted();
      if (typeof got === 'string') {
        silentChecks += 1;
        if (got !== 'news' && silentChecks < MAX_SILENT_CHECKS) continue;
        silentChecks = 0;
        this.retrieve();
      } else if ('stored' in got) {
        const { stored } = got;
        this.retrieving = undefined;
        if (stored && isOver(stored)) return stored;
        this.bound = !stored || !this.continues(stored);
        if (stored && !this.bound && mayLeave()) return stored;
      } else {
        if (got.done) return 'broken';
        silentChecks = 0;
        const own = ownEvents(this.bought, got.value);
        for (const event of own)
          if ('response' in event) this.continues(event.response);
        const ended = await this.writer.appendEvents(own);
        if (ended && isOver(ended)) return ended;
        if (own !== got.value) return 'broken';
        next = this.next();
      }
    }
  }

  private next(): Promise<Batch> {
    const next = this.stream.events.next();
    // A read that fails after the stream was closed is not an unhandled rejection.
    next.catch(() => undefined);
    return next;
  }

  private retrieve(): void {
    const { bought, run, closing } = this;
    const signal = AbortSignal.any([run.signal, closing.signal]);
    this.retrieving ??= this.responses.retrieve(bought, signal).then(
      (stored) => ({ stored }),
      () => ({ stored: undefined }),
    );
  }

  /** Whether the run continues without its stream, by this response or an earlier one. */
  private continues(response: Response | null | undefined): boolean {
    const background = response?.background;
    if (typeof background === 'boolean') this.inBackground = background;
    return this.inBackground;
  }
}
