import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { AppConfig } from '../../../config/config';
import { projectVersion } from '../../../config/project-version';
import { outboundAgent } from '../../../platform/egress/outbound-agent';
import { proxyAgent } from '../../../platform/egress/proxied-agent';
import { pageUrl } from '../../../platform/egress/page-url';
import { ROBOTS_TOKEN } from '../extraction/extraction.types';
import { PageLimits } from '../page-limits';
import { PageUnreadable } from '../page.types';
import { ACCEPTED_ENCODINGS } from './body';
import { faultOf } from './fetch-fault';
import { HostSlots } from './host-slots';
import { TimeBudget } from './time-budget';

const MAX_REDIRECTS = 5;
const MAX_CONNECT_MS = 10_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The way to one page, over all that leads elsewhere. */
export interface Journey {
  hopsLeft: number;
  /** Whether every address so far was a public one, by the ordinary rules. */
  isPublic: boolean;
  readonly budget: TimeBudget;
}

export interface PageReply {
  readonly url: URL;
  /** Whether every address on the way was a public one, by the ordinary rules. */
  readonly isPublic: boolean;
  readonly reply: Dispatcher.ResponseData;
  /** The rest of the time of this request. */
  readonly budget: TimeBudget;
}

/**
 * GET requests to addresses from search results: without cookies or credentials, to public addresses or allowed origins
 * only. The addresses of names are those of the proxy that is set for pages, if there is one.
 */
@Injectable()
export class PageClient implements OnApplicationShutdown {
  private readonly userAgent = `Sonde/${projectVersion()} (research agent; robots.txt: ${ROBOTS_TOKEN})`;
  private readonly allowedOrigins: readonly string[];
  private readonly guarded: Dispatcher;
  private readonly open: Dispatcher;

  constructor(
    { pages }: AppConfig,
    private readonly slots: HostSlots,
    private readonly limits: PageLimits,
  ) {
    this.allowedOrigins = pages.allowedOrigins;
    const connectTimeoutMs = Math.min(MAX_CONNECT_MS, limits.fetchMs);
    this.guarded =
      pages.proxy === undefined
        ? outboundAgent({ allowPrivate: false, connectTimeoutMs })
        : proxyAgent(pages.proxy, {
            pipelining: 0,
            connect: { timeout: connectTimeoutMs },
          });
    this.open = outboundAgent({ allowPrivate: true, connectTimeoutMs });
  }

  /** @throws PageUnreadable if the address is refused. */
  check(url: string): URL {
    return accepted(url, this.allowedOrigins);
  }

  journey(): Journey {
    const budget = new TimeBudget(this.limits.fetchMs);
    return { hopsLeft: MAX_REDIRECTS + 1, isPublic: true, budget };
  }

  /**
   * Requests `start` and follows redirects. `before` runs before each request, `read` with the final response; the host's slot is held until
   * `read` is done, and the connection is closed then.
   * @param journey one that has begun, for a page that another has led to.
   * @throws PageUnreadable, or the reason of the signal.
   */
  async get<T>(
    start: URL,
    signal: AbortSignal,
    read: (reply: PageReply) => Promise<T>,
    before?: (url: URL) => Promise<void>,
    journey = this.journey(),
  ): Promise<T> {
    const { budget } = journey;
    let url = start;
    for (; journey.hopsLeft > 0; journey.hopsLeft -= 1) {
      journey.isPublic &&= !this.allowedOrigins.includes(url.origin);
      const { isPublic } = journey;
      await before?.(url);
      const outcome = await this.slots.use(url.hostname, signal, () =>
        this.visit({ url, isPublic, budget }, signal, read),
      );
      if ('value' in outcome) return outcome.value;
      url = this.redirected(url, outcome.location);
    }
    throw new PageUnreadable('http_error');
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.guarded.destroy(), this.open.destroy()]);
  }

  private async visit<T>(
    hop: Omit<PageReply, 'reply'>,
    signal: AbortSignal,
    read: (reply: PageReply) => Promise<T>,
  ): Promise<{ value: T } | { location: string }> {
    let reply: Dispatcher.ResponseData | undefined;
    try {
      reply = await hop.budget.spend(signal, (limit) =>
        this.request(hop.url, limit),
      );
      const { statusCode, headers } = reply;
      if (REDIRECTS.has(statusCode) && typeof headers.location === 'string')
        return { location: headers.location };
      return { value: await read({ ...hop, reply }) };
    } catch (error) {
      signal.throwIfAborted();
      throw faultOf(error);
    } finally {
      reply?.body.destroy();
    }
  }

  private async request(
    url: URL,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const agent = this.allowedOrigins.includes(url.origin)
      ? this.open
      : this.guarded;
    const reply = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        'user-agent': this.userAgent,
        accept: '*/*',
        'accept-encoding': ACCEPTED_ENCODINGS,
      },
      signal,
    });
    // A body that is destroyed early emits an error of its own.
    reply.body.on('error', () => undefined);
    return reply;
  }

  /**
   * The address that `from` leads to. Only an allowed origin may redirect to an address that is not public: anybody else could reach into a private network so.
   * @throws PageUnreadable if it is refused.
   */
  redirected(from: URL, location: string): URL {
    const target = URL.canParse(location, from.href)
      ? new URL(location, from).href
      : '';
    const mayBePrivate = this.allowedOrigins.includes(from.origin);
    return accepted(target, mayBePrivate ? this.allowedOrigins : []);
  }
}

function accepted(url: string, allowedOrigins: readonly string[]): URL {
  const found = pageUrl(url, allowedOrigins);
  if (!found) throw new PageUnreadable('address_refused');
  return found;
}
