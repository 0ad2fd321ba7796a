import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ErrorCode } from '../../src/platform/errors';
import { UpstreamError } from '../../src/llm/upstream/upstream-error';
import type { CompletionPort } from '../../src/research/agent/agent-ports';
import type { ModelReply, ModelRequest } from './endpoint';
import { SITE } from './site';

const MAX_BYTES = 64 * 1024 * 1024;
const ADDRESS = /\bhttps?:\/\/([^\s/"'\\<>)\]]+)/g;
const KEY = /\bsk-[\w-]{8,}/g;
/** Takes the place of every host that the request does not have: an invented address stays one. */
const HOST = 'redacted.invalid';

const entry = z.strictObject({
  /** Hash of the request, which is not in the trace. */
  request: z.string(),
  reply: z
    .strictObject({
      text: z.string(),
      value: z.unknown().optional(),
      finish: z.enum(['stop', 'length', 'filtered', 'other']),
      usage: z
        .strictObject({ input_tokens: z.number(), output_tokens: z.number() })
        .nullable(),
      costUsd: z.number().optional(),
    })
    .optional(),
  failure: z
    .strictObject({
      code: z.string().regex(/^(?:upstream_[a-z_]+|model_not_found)$/),
      effect: z.enum(['none', 'unknown']),
    })
    .optional(),
});
type Entry = z.infer<typeof entry>;
const trace = z.strictObject({
  version: z.literal(1),
  entries: z.array(entry),
});

/** Records what models answer, without keys and hosts, and of errors only their kind. */
export class ModelRecorder implements CompletionPort {
  private readonly entries: Entry[] = [];
  private bytes = 0;

  constructor(
    private readonly model: CompletionPort,
    private readonly secrets: readonly string[],
  ) {}

  async complete(request: ModelRequest): Promise<ModelReply> {
    const key = digest(request);
    try {
      const { text, value, finish, usage, costUsd } =
        await this.model.complete(request);
      const tokens = usage && {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
      };
      const reply = { text, value, finish, usage: tokens, costUsd };
      // The run goes on with what a replay of the trace has.
      return this.record({ request: key, reply }, request).reply as ModelReply;
    } catch (error) {
      if (error instanceof UpstreamError) {
        const { code, effect } = error;
        this.record({ request: key, failure: { code, effect } }, request);
      }
      throw error;
    }
  }

  get text(): string {
    return `${JSON.stringify({ version: 1, entries: this.entries })}\n`;
  }

  private record(made: Entry, { messages }: ModelRequest): Entry {
    const asked = messages.map(({ content }) => content).join('\n');
    const text = redacted(JSON.stringify(made), asked, this.secrets);
    this.bytes += text.length;
    if (this.bytes > MAX_BYTES)
      throw new Error('The trace is too large: record fewer questions.');
    const kept = JSON.parse(text) as Entry;
    this.entries.push(kept);
    return kept;
  }
}

/** Answers as the models of a trace did. A request that it does not have ends the evaluation. */
export class ModelReplay implements CompletionPort {
  private readonly entries = new Map<string, Entry[]>();

  /** @throws Error if the text is no trace of this evaluation. */
  constructor(text: string) {
    if (text.length > MAX_BYTES) throw new Error('The trace is too large.');
    for (const one of trace.parse(JSON.parse(text)).entries)
      this.entries.set(one.request, [
        ...(this.entries.get(one.request) ?? []),
        one,
      ]);
  }

  complete(request: ModelRequest): Promise<ModelReply> {
    const recorded = this.entries.get(digest(request));
    const { reply, failure } =
      (recorded && recorded.length > 1 ? recorded.shift() : recorded?.[0]) ??
      {};
    if (reply) return Promise.resolve(reply as ModelReply);
    const { code, effect } = failure ?? {};
    return Promise.reject(
      code && effect
        ? new UpstreamError(code as ErrorCode, effect, {})
        : new Error('The trace has no answer to this: record it again.'),
    );
  }
}

function digest({ model, messages, schema, maxTokens }: ModelRequest): string {
  const text = JSON.stringify([model, messages, schema, maxTokens]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** @param asked the prompt, which is of the corpus and of earlier answers. */
function redacted(
  text: string,
  asked: string,
  secrets: readonly string[],
): string {
  const without = text.replace(ADDRESS, (address, host: string) =>
    asked.includes(`//${host}`) || address.startsWith(SITE)
      ? address
      : address.replace(host, HOST),
  );
  return secrets
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), without)
    .replace(KEY, '[redacted]');
}
