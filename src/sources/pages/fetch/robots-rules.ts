import { Injectable } from '@nestjs/common';
import { ExtractionPool } from '../extraction/extraction-pool';
import { PageUnreadable } from '../page.types';
import { readBody } from './body';
import { PageClient, type PageReply } from './page.client';
import { KeyedSemaphore } from '../../../platform/semaphore';

/** RFC 9309: at least 500 KiB. */
const MAX_BYTES = 512 * 1024;
const KEEP_MS = 60 * 60_000;
const KEEP_FAILURE_MS = 60_000;
const MAX_ORIGINS = 1_000;
const MAX_TOTAL_CHARS = 16 * 1024 * 1024;

interface Rules {
  /** Empty: everything is allowed. */
  readonly text: string;
  readonly failure?: PageUnreadable;
  readonly until: number;
}

/** Asks the robots.txt of an origin, once an hour, whether a page may be read. */
@Injectable()
export class RobotsRules {
  private readonly kept = new Map<string, Rules>();
  private totalChars = 0;
  private readonly fetching = new KeyedSemaphore(1);

  constructor(
    private readonly client: PageClient,
    private readonly pool: ExtractionPool,
  ) {}

  /** @throws PageUnreadable if the rules forbid it or cannot be had, or the reason of the signal. */
  async check(url: URL, signal: AbortSignal): Promise<void> {
    const { text, failure } = await this.fetching.use(url.origin, signal, () =>
      this.rules(url.origin, signal),
    );
    if (failure) throw failure;
    if (text === '') return;
    if (!(await this.pool.isAllowed({ text, url: url.href }, signal)))
      throw new PageUnreadable('robots');
  }

  private async rules(origin: string, signal: AbortSignal): Promise<Rules> {
    const known = this.kept.get(origin);
    if (known && known.until > performance.now()) return known;
    const rules = await this.load(origin, signal);
    this.keep(origin, rules);
    return rules;
  }

  private async load(origin: string, signal: AbortSignal): Promise<Rules> {
    const url = new URL('/robots.txt', origin);
    try {
      const text = await this.client.get(url, signal, (reply) =>
        readRules(reply, signal),
      );
      return { text, until: performance.now() + KEEP_MS };
    } catch (failure) {
      if (!(failure instanceof PageUnreadable)) throw failure;
      const until = performance.now() + KEEP_FAILURE_MS;
      return isAllowance(failure)
        ? { text: '', until }
        : { text: '', failure, until };
    }
  }

  /** The oldest entries are dropped first. */
  private keep(origin: string, rules: Rules): void {
    this.drop(origin);
    this.kept.set(origin, rules);
    this.totalChars += rules.text.length;
    for (const oldest of this.kept.keys()) {
      const isWithin =
        this.kept.size <= MAX_ORIGINS && this.totalChars <= MAX_TOTAL_CHARS;
      if (isWithin || oldest === origin) return;
      this.drop(oldest);
    }
  }

  private drop(origin: string): void {
    this.totalChars -= this.kept.get(origin)?.text.length ?? 0;
    this.kept.delete(origin);
  }
}

/** RFC 9309: a 4xx allows everything, a 5xx forbids everything. */
async function readRules(
  { reply: { statusCode: status, headers, body }, budget }: PageReply,
  signal: AbortSignal,
): Promise<string> {
  if (status >= 500) throw new PageUnreadable('robots');
  if (status < 200 || status > 299) return '';
  const encoding = headers['content-encoding'];
  const bytes = await budget.spend(signal, (limit) =>
    readBody(body, encoding, MAX_BYTES, 'cut', limit),
  );
  return new TextDecoder().decode(bytes);
}

/** Too many redirects, or an answer that is no text, is as good as no robots.txt. */
function isAllowance({ fault }: PageUnreadable): boolean {
  return fault === 'http_error' || fault === 'unreadable';
}
