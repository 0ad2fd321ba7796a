import type { ChatReply, ChatRequest, ToolCall } from '../chat-types.js';
import type { ChatEvent, MessageDelta } from '../event-types.js';
import { SondeConnectionError } from '../errors.js';
import { CANCELLING } from './interrupt.js';
import { ANY_TIME, heldSeconds, type WithSonde } from './run.js';
import { RESEARCH_FAILED } from '../tool-calling.js';

/** A chat with Sonde, in which the model decides whether to research. */
export async function chat(run: WithSonde): Promise<number> {
  const told = new Told(run);
  const { stream, background } = run.flags;
  const reply = await (stream
    ? streamed(run, told)
    : background
      ? followed(run, told)
      : awaited(run, told));
  told.reply(reply);
  return told.end(reply);
}

async function awaited(run: WithSonde, told: Told): Promise<ChatReply> {
  const { sonde, interrupt, signal } = run;
  const request = requestOf(run);
  const idempotencyKey = crypto.randomUUID();
  // Its id is not known before it has ended; the same again, without waiting, tells it.
  interrupt.cancel = async () => {
    const options = { ...CANCELLING, idempotencyKey, waitSeconds: 0 };
    await sonde.chats.cancel(await sonde.chat(request, options), CANCELLING);
  };
  const limits = { ...ANY_TIME, signal };
  const waitSeconds = heldSeconds(run.flags);
  const options = { ...limits, idempotencyKey, waitSeconds };
  const reply = await sonde.chat(request, options);
  if (reply.status !== 'queued' && reply.status !== 'running') return reply;
  told.record(reply);
  interrupt.cancel = () => sonde.chats.cancel(reply, CANCELLING);
  return sonde.chats.wait(reply, limits);
}

async function followed(run: WithSonde, told: Told): Promise<ChatReply> {
  const { sonde, interrupt, signal } = run;
  const request = { ...requestOf(run), background: true };
  const idempotencyKey = crypto.randomUUID();
  interrupt.cancel = async () => {
    const options = { ...CANCELLING, idempotencyKey };
    await sonde.chats.cancel(await sonde.chat(request, options), CANCELLING);
  };
  const limits = { ...ANY_TIME, signal };
  const begun = await sonde.chat(request, { ...limits, idempotencyKey });
  interrupt.cancel = () => sonde.chats.cancel(begun, CANCELLING);
  told.record(begun);
  for await (const event of sonde.chats.events(begun, { signal })) {
    told.event(event);
    if (event.type === 'requires_action') break;
  }
  // Settled already, but after a gap.
  return sonde.chats.wait(begun, limits);
}

async function streamed(run: WithSonde, told: Told): Promise<ChatReply> {
  const { sonde, flags, output, signal } = run;
  const limits = { ...ANY_TIME, signal };
  for await (const event of sonde.chatStream(requestOf(run), limits)) {
    told.event(event);
    if (flags.json) output.write(`${JSON.stringify(event)}\n`);
    else if (event.type === 'delta') told.delta(event.data);
    if (event.type === 'completed') return event.data;
    if (event.type === 'error') return failedReply(event.data);
  }
  throw new SondeConnectionError('the stream ended before the answer did');
}

function requestOf({ prompt, flags }: WithSonde): ChatRequest {
  const { systemPrompt, context, deliverableFormat } = flags;
  return {
    message: prompt,
    context: context.length > 0 ? context : undefined,
    system_prompt: systemPrompt,
    deliverable_format: deliverableFormat,
  };
}

/** What was told of a chat so far; nothing is told twice. */
class Told {
  private readonly tools = new Set<string>();
  private readonly calls = new Set<string>();
  private chatId: string | null = null;
  private index: number | undefined;
  /** Of the last part of the stream. */
  private part = '';

  constructor(private readonly run: WithSonde) {}

  event(event: ChatEvent): void {
    if (event.type === 'tool_call') this.call(event.data);
    if (event.type !== 'tool_progress') return;
    const { type, data } = progressOf(event.data);
    if (type === 'progress') this.run.output.live.progress(data);
  }

  /** A piece of the answer; each turn of the model is a part of its own. */
  delta({ contents = [] }: MessageDelta): void {
    for (const part of contents) {
      if (part.type !== 'text' || !part.text) continue;
      if (part.index !== this.index) this.begin();
      this.index = part.index;
      this.part += part.text;
      this.run.output.write(part.text);
    }
  }

  record({ chat_id, invocation_token }: ChatReply): void {
    if (this.chatId !== null || chat_id === null) return;
    this.chatId = chat_id;
    this.run.output.note('chat_id', chat_id);
    this.run.output.note('invocation_token', invocation_token);
  }

  reply(reply: ChatReply): void {
    const { output } = this.run;
    const called = reply.tool_calls.filter(({ invocation_id: id }) => id);
    for (const { tool_name } of called) this.tool(tool_name);
    output.note('response_id', reply.response_id);
    this.record(reply);
    for (const call of called) this.call(call);
  }

  /** Prints what the stream has not brought, says what is wrong, and gives the exit code. */
  end(reply: ChatReply): number {
    const { flags, output } = this.run;
    const content = reply.content ?? '';
    if (flags.json) {
      if (!flags.stream) output.write(JSON.stringify(reply));
    } else if (content !== '' && content !== this.part) {
      this.begin();
      output.write(content);
    }
    const { status, error, guardrail, required_action } = reply;
    if (status === 'requires_action') {
      for (const { tool_name, arguments: args } of required_action?.approvals ??
        [])
        output.say(`waits for approval: ${tool_name} ${JSON.stringify(args)}`);
      for (const { question } of required_action?.questions ?? [])
        output.say(`waits for an answer: ${question}`);
      return 5;
    }
    const researchFailed = content === RESEARCH_FAILED;
    if (status === 'completed' && !error && !guardrail && !researchFailed)
      return 0;
    if (status === 'cancelled') output.say('sonde: the chat was cancelled');
    else if (guardrail)
      output.say(`sonde: the chat was refused: ${guardrail.name}`);
    else if (status === 'completed' && error)
      output.say(`sonde: the chat ended early: ${error.code}`);
    else if (researchFailed) output.say('sonde: the research failed');
    else output.say(`sonde: the chat failed: ${error?.message ?? status}`);
    return 1;
  }

  private call(call: ToolCall): void {
    if (call.invocation_id === null || this.calls.has(call.call_id)) return;
    this.calls.add(call.call_id);
    this.tool(call.tool_name);
    this.run.output.note('invocation_id', call.invocation_id);
    this.run.output.note('invocation_token', call.invocation_token);
  }

  private tool(name: string): void {
    if (this.tools.has(name)) return;
    this.tools.add(name);
    this.run.output.say(`[${name} was called automatically]`);
  }

  private begin(): void {
    if (this.run.output.text !== '') this.run.output.write('\n\n');
    this.part = '';
  }
}

function progressOf(event: Record<string, unknown>) {
  return event as { type?: string; data: { kind: string; detail: string } };
}

/** Of a stream that ended with an error: what the model had said is all there is. */
function failedReply(error: { message: string; code?: string }): ChatReply {
  return {
    status: 'failed',
    content: null,
    tool_called: false,
    tool_name: null,
    research_summary: null,
    tool_calls: [],
    response_id: null,
    usage: null,
    agent: null,
    contents: null,
    citations: null,
    sources: null,
    guardrail: null,
    error: {
      code: error.code ?? 'error',
      message: error.message,
      retryable: false,
    },
    required_action: null,
    chat_id: null,
    invocation_token: null,
  };
}
