import type { ChatReply, ChatRequest, Message } from './chat-types.js';
import type { ChatEvent } from './event-types.js';
import { Clock } from './http/clock.js';
import { combined } from './combined-reply.js';

/** A function that the model may call. `chat` and `chatStream` run it, and tell the model what it returned. */
export interface ChatFunction {
  /** Letters, digits, `_` and `-`, at most 64. Must not be the name of a tool of the chat. */
  name: string;
  description?: string;
  /** JSON Schema of the arguments; none unless given. */
  parameters?: Record<string, unknown>;
  /** JSON Schema of the result, for the model. */
  returns?: Record<string, unknown>;
  /** Whether the model endpoint must hold the arguments to the schema. */
  strict?: boolean;
  /**
   * Returns text or a JSON value. The model is told the message of an error that is thrown. The arguments are those that
   * the model chose; unless `strict`, they need not fit the schema. Without `run`, calls are handed back in the reply.
   */
  run?(
    args: Record<string, unknown>,
    context: {
      /** Aborts when the result is no longer waited for. */
      signal: AbortSignal;
    },
  ): unknown;
}

export interface FunctionOptions {
  /** How often the functions that the model calls are run; then it must answer. 10 unless given. */
  maxRounds?: number;
  /** Time limit of each call of a function, in milliseconds; 60,000 unless given. */
  functionTimeoutMs?: number;
}

type Call = NonNullable<Message['tool_calls']>[number];

const MAX_RESULT_CHARACTERS = 100_000;
const MAX_MESSAGE_CHARACTERS = 500;

/** A chat whose functions this client runs: what is sent next, and what the turns so far have brought. */
export class FunctionChat {
  private earlier: ChatReply | undefined;
  private rounds = 0;
  private parts = 0;
  private partsBefore = 0;

  constructor(
    public request: ChatRequest,
    private readonly options: FunctionOptions,
  ) {}

  /** Whether anything was sent before `request`. */
  get isContinued(): boolean {
    return this.earlier !== undefined;
  }

  /** The reply with what the turns before it have brought. */
  whole(reply: ChatReply): ChatReply {
    return this.earlier ? combined(this.earlier, reply) : reply;
  }

  /** The event of a chat in which the parts of all turns are counted. */
  counted(event: ChatEvent): ChatEvent {
    if (event.type !== 'delta' || !event.data.contents) return event;
    const contents = event.data.contents.map((part) => {
      const index = part.index + this.partsBefore;
      this.parts = Math.max(this.parts, index + 1);
      return { ...part, index };
    });
    return { ...event, data: { ...event.data, contents } };
  }

  /** Runs the functions that the reply calls, and sets the next request; false if there is none. */
  async goOn(reply: ChatReply, signal: AbortSignal): Promise<boolean> {
    const { continuation, message: answer } = reply;
    const calls = answer?.tool_calls ?? [];
    const { maxRounds = 10, functionTimeoutMs = 60_000 } = this.options;
    const isRun = ({ function: { name } }: Call) =>
      this.find(name)?.run !== undefined;
    if (!continuation || calls.length === 0 || !calls.every(isRun))
      return false;
    if (this.rounds > maxRounds) return false;
    const isLast = this.rounds === maxRounds;
    const results = await Promise.all(
      calls.map(async ({ function: { name, arguments: args } }) =>
        isLast
          ? failure(
              'LIMIT_REACHED',
              'No more calls: answer from what is known.',
            )
          : result(this.find(name)!, args, functionTimeoutMs, signal),
      ),
    );
    this.rounds += 1;
    this.earlier = reply;
    this.partsBefore = this.parts;
    const { message, messages = [], ...rest } = this.request;
    // It is for the first turn of the model, which has been.
    delete rest.tool_choice;
    const asked = typeof message === 'string' ? [said('user', message)] : [];
    const answers = calls.map(({ id, function: { name } }, at) => ({
      ...said('tool', results[at]!),
      ...(id !== undefined && { tool_call_id: id }),
      name,
    }));
    this.request = {
      ...rest,
      messages: [...messages, ...asked, ...continuation, ...answers],
    };
    return true;
  }

  private find(name: string): ChatFunction | undefined {
    return this.request.functions?.find((each) => each.name === name);
  }
}

/** What the model is told. Rejects only if `signal` aborts. */
async function result(
  called: ChatFunction,
  args: Record<string, unknown>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const clock = new Clock(timeoutMs, signal);
  const aborted = new Promise<never>((_, reject) => {
    clock.signal.addEventListener('abort', () => reject(clock.timeout()));
  });
  try {
    const context = { signal: clock.signal };
    const work = Promise.resolve().then(() => called.run!(args, context));
    return textOf(await Promise.race([work, aborted]));
  } catch (error) {
    signal.throwIfAborted();
    if (!clock.signal.aborted)
      return failure(
        'FUNCTION_FAILED',
        String((error as Error)?.message ?? error),
      );
    const limit = `${timeoutMs / 1000} s`;
    return failure('FUNCTION_TIMEOUT', `It did not end within ${limit}.`);
  } finally {
    clock.abort();
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return 'Done.';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined) throw new Error('The result is not JSON.');
  return text.length <= MAX_RESULT_CHARACTERS
    ? text
    : failure('RESULT_TOO_LARGE', `It has ${text.length} characters.`);
}

function failure(code: string, message: string): string {
  const short = message.slice(0, MAX_MESSAGE_CHARACTERS);
  return JSON.stringify({ code, message: short });
}

function said(role: 'user' | 'tool', text: string): Message {
  return { role, contents: [{ type: 'text', text }] };
}
