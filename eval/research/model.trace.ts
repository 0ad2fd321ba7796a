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

/** What an answer belongs to. The texts are not in the trace, and instructions are no part of it: their wording may change. */
const input = z.strictObject({
  model: z.string(),
  role: z.string(),
  /** The hash of each data block of the prompt, and of what the user's message says besides, if anything. */
  blocks: z.record(z.string(), z.string()),
});
type Input = z.infer<typeof input>;

const entry = input.extend({
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
  version: z.literal(2),
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
    const asked = inputOf(request);
    try {
      const { text, value, finish, usage, costUsd } =
        await this.model.complete(request);
      const tokens = usage && {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
      };
      const reply = { text, value, finish, usage: tokens, costUsd };
      // The run goes on with what a replay of the trace has.
      return this.record({ ...asked, reply }, request).reply as ModelReply;
    } catch (error) {
      if (error instanceof UpstreamError) {
        const { code, effect } = error;
        this.record({ ...asked, failure: { code, effect } }, request);
      }
      throw error;
    }
  }

  get text(): string {
    return ModelRecorder.joined([this]);
  }

  /** One trace of several recordings. */
  static joined(all: readonly ModelRecorder[]): string {
    const entries = all.flatMap((one) => one.entries);
    return `${JSON.stringify({ version: 2, entries })}\n`;
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
  private readonly entries: readonly Entry[];
  private readonly byInput = new Map<string, Entry[]>();

  /** @throws Error if the text is no trace of this evaluation. */
  constructor(text: string) {
    if (text.length > MAX_BYTES) throw new Error('The trace is too large.');
    this.entries = trace.parse(JSON.parse(text)).entries;
    for (const one of this.entries)
      this.byInput.set(keyOf(one), [
        ...(this.byInput.get(keyOf(one)) ?? []),
        one,
      ]);
  }

  has(request: ModelRequest): boolean {
    return this.byInput.has(keyOf(inputOf(request)));
  }

  complete(request: ModelRequest): Promise<ModelReply> {
    const asked = inputOf(request);
    const recorded = this.byInput.get(keyOf(asked));
    const { reply, failure } =
      (recorded && recorded.length > 1 ? recorded.shift() : recorded?.[0]) ??
      {};
    if (reply) return Promise.resolve(reply as ModelReply);
    const { code, effect } = failure ?? {};
    return Promise.reject(
      code && effect
        ? new UpstreamError(code as ErrorCode, effect, {})
        : new Error(unanswered(asked, this.entries)),
    );
  }
}

/** Asks a model only what a trace has no answer to. */
export class ModelMemory implements CompletionPort {
  constructor(
    private readonly replay: ModelReplay,
    private readonly model: CompletionPort,
  ) {}

  complete(request: ModelRequest): Promise<ModelReply> {
    const { replay, model } = this;
    return (replay.has(request) ? replay : model).complete(request);
  }
}

const BLOCK = /<data name="([a-z_]+)">\n([^]*?)\n<\/data>/g;

function inputOf({ model, messages, schema }: ModelRequest): Input {
  const blocks: Record<string, string> = {};
  const besides = messages
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => content)
    .join('\n')
    .replace(BLOCK, (_, name: string, content: string) => {
      blocks[name] = hashOf(content);
      return '';
    })
    .trim();
  if (besides) blocks[BESIDES] = hashOf(besides);
  return { model, role: schema?.name ?? '', blocks };
}

/** Why the answer before was refused. */
const BESIDES = 'besides';

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The order of the blocks is wording. */
function keyOf({ model, role, blocks }: Input): string {
  return JSON.stringify([
    model,
    role,
    Object.entries(blocks).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/** Names what differs from the recorded input that is nearest. */
function unanswered(asked: Input, entries: readonly Entry[]): string {
  const { model, role } = asked;
  const differing = entries
    .filter((one) => one.model === model && one.role === role)
    .map(({ blocks }) =>
      Object.keys({ ...blocks, ...asked.blocks }).filter(
        (name) => blocks[name] !== asked.blocks[name],
      ),
    )
    .toSorted((a, b) => a.length - b.length);
  const what = differing[0] ?? [`there is none of ${model}`];
  return `The trace has no answer to this, record it again: the input of ${role} has changed (${what.join(', ')}).`;
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
