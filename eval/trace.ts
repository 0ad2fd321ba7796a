import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ErrorCode } from '../src/platform/errors';
import type {
  UpstreamCall,
  UpstreamReply,
} from '../src/llm/upstream/upstream.client';
import { UpstreamError } from '../src/llm/upstream/upstream-error';

/** The client of the endpoint for this evaluation: turns are not streamed. */
export interface Endpoint {
  reply<T>(call: UpstreamCall): Promise<UpstreamReply<T>>;
}

const MAX_TRACE_BYTES = 16 * 1024 * 1024;
const URLS = /\bhttps?:\/\/[^\s"'\\<>)\]]+/g;
const KEYS = /\bsk-[\w-]{8,}/g;
const MAX_REPLY_BYTES = 256 * 1024;

const entry = z.object({
  /** Hash of path and body, which are not in the trace. */
  request: z.string(),
  reply: z.unknown().optional(),
  failure: z
    .object({
      code: z.string().regex(/^(?:upstream_[a-z_]+|model_not_found)$/),
      effect: z.enum(['none', 'unknown']),
      status: z.number().optional(),
    })
    .optional(),
});
const trace = z.object({ version: z.literal(1), entries: z.array(entry) });
type Entry = z.infer<typeof entry>;

/** The call limit is reached. */
export class CallLimit extends Error {}

/** Counts the calls and makes none beyond the limit. */
export class Counted implements Endpoint {
  made = 0;
  /** A call was refused because of the limit. */
  refused = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly most: number,
  ) {}

  reply<T>(call: UpstreamCall): Promise<UpstreamReply<T>> {
    this.refused ||= this.made >= this.most;
    if (this.refused) return Promise.reject(new CallLimit());
    this.made += 1;
    return this.endpoint.reply<T>(call);
  }
}

/** Records the responses of the endpoint, without host and key, and of errors only their kind. */
export class Recorder implements Endpoint {
  private readonly entries: Entry[] = [];
  private bytes = 0;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly secrets: readonly string[],
  ) {}

  async reply<T>(call: UpstreamCall): Promise<UpstreamReply<T>> {
    const request = digest(call, this.secrets);
    try {
      const reply = await this.endpoint.reply<T>(call);
      this.record({ request, reply: reply.body });
      return reply;
    } catch (error) {
      if (error instanceof UpstreamError) {
        const { code, effect, fault } = error;
        const failure = { code, effect, status: fault.status };
        this.record({ request, failure } as Entry);
      }
      throw error;
    }
  }

  get text(): string {
    return `${JSON.stringify({ version: 1, entries: this.entries })}\n`;
  }

  private record(recorded: Entry): void {
    const text = redacted(JSON.stringify(recorded), this.secrets);
    this.bytes += text.length;
    if (text.length > MAX_REPLY_BYTES || this.bytes > MAX_TRACE_BYTES)
      throw new Error('The trace is too large: record fewer cases.');
    this.entries.push(JSON.parse(text) as Entry);
  }
}

/** Replays recorded responses; unknown requests fail. */
export class Replay implements Endpoint {
  private readonly entries = new Map<string, Entry[]>();

  /** @throws Error if the text is not a trace. */
  constructor(text: string) {
    if (text.length > MAX_TRACE_BYTES)
      throw new Error('The trace is too large.');
    for (const one of trace.parse(JSON.parse(text)).entries)
      this.entries.set(one.request, [
        ...(this.entries.get(one.request) ?? []),
        one,
      ]);
  }

  async reply<T>(call: UpstreamCall): Promise<UpstreamReply<T>> {
    const recorded = this.entries.get(digest(call));
    const found =
      recorded && recorded.length > 1 ? recorded.shift() : recorded?.[0];
    if (!found)
      throw new Error('The trace has no answer to this: record it again.');
    const { failure, reply } = found;
    if (failure) {
      const { code, effect, status } = failure;
      throw new UpstreamError(code as ErrorCode, effect, { status });
    }
    return { body: reply as T, headers: {} };
  }
}

/** Also applied to requests, which repeat earlier responses: a replay sends the texts of the trace. */
function digest(
  { path, body }: UpstreamCall,
  secrets: readonly string[] = [],
): string {
  const text = redacted(`${path}\n${JSON.stringify(body)}`, secrets);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Removes all keys and addresses. */
function redacted(text: string, secrets: readonly string[]): string {
  const without = secrets.reduce(
    (rest, secret) => rest.replaceAll(secret, '[redacted]'),
    text.replace(URLS, '[url]'),
  );
  return without.replace(KEYS, '[redacted]');
}

/** Texts that a trace never contains: the key, and everything that identifies the host. */
export function secretsOf(url: string, key?: string): string[] {
  const { host, hostname } = new URL(url);
  const secrets = [key, host, hostname].filter((one) => one !== undefined);
  return secrets.filter((one) => one.length > 3);
}
