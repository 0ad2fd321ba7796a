import type { ChatReply, ChatRequest } from '../chat-types.js';
import type { ChatRef } from '../chats.js';
import { SondeConnectionError, SondeError } from '../errors.js';
import { CANCEL_TIMEOUT, type ActiveRun } from './terminal/interrupt.js';
import { MAX_TIMEOUT, foregroundWaitSeconds, type WithSonde } from './run.js';
import { ChatOutput } from './chat-output.js';

type RunRef = Pick<ChatReply, 'chat_id' | 'invocation_token'>;

/** Runs a chat with Sonde, in which the model decides whether to research. */
export async function chat(run: WithSonde): Promise<number> {
  const { stream, background } = run.flags;
  const shown = new ChatOutput(run, !stream);
  const reply = await (stream
    ? streamed(run, shown)
    : background
      ? followed(run, shown)
      : awaited(run, shown));
  shown.reply(reply);
  return shown.end(reply);
}

async function awaited(run: WithSonde, shown: ChatOutput): Promise<ChatReply> {
  const { sonde, interrupt, signal } = run;
  const request = requestOf(run);
  const idempotencyKey = crypto.randomUUID();
  // The id is unknown until the reply arrives; the same request with the same key and no wait returns it.
  interrupt.findRun = async () => {
    const options = { ...CANCEL_TIMEOUT, idempotencyKey, waitSeconds: 0 };
    return activeRun(run, await sonde.chat(request, options));
  };
  const limits = { ...MAX_TIMEOUT, signal };
  const waitSeconds = foregroundWaitSeconds(run.flags);
  const options = { ...limits, idempotencyKey, waitSeconds };
  const reply = await sonde.chat(request, options);
  if (reply.status !== 'queued' && reply.status !== 'running') return reply;
  interrupt.track(activeRun(run, reply));
  shown.record(reply);
  try {
    return await follow(run, shown, reply);
  } catch (error) {
    // Events are only displayed; if they fail, the record is still fetched.
    if (!(error instanceof SondeError)) throw error;
    return sonde.chats.wait(reply, limits);
  }
}

async function followed(run: WithSonde, shown: ChatOutput): Promise<ChatReply> {
  const { sonde, interrupt, signal } = run;
  const request = { ...requestOf(run), background: true };
  const idempotencyKey = crypto.randomUUID();
  interrupt.findRun = async () => {
    const options = { ...CANCEL_TIMEOUT, idempotencyKey };
    return activeRun(run, await sonde.chat(request, options));
  };
  const limits = { ...MAX_TIMEOUT, signal };
  const submitted = await sonde.chat(request, { ...limits, idempotencyKey });
  interrupt.track(activeRun(run, submitted));
  shown.record(submitted);
  return follow(run, shown, submitted);
}

/** Prints the events of a chat until it ends or requires action. */
export async function follow(
  { sonde, flags, output, signal }: WithSonde,
  shown: ChatOutput,
  ref: ChatRef,
): Promise<ChatReply> {
  for await (const event of sonde.chats.events(ref, { signal })) {
    shown.event(event);
    if (flags.stream && flags.json) output.write(`${JSON.stringify(event)}\n`);
    else if (flags.stream && event.type === 'delta') shown.delta(event.data);
    if (event.type === 'requires_action') break;
  }
  // Returns immediately, except after a gap.
  return sonde.chats.wait(ref, { ...MAX_TIMEOUT, signal });
}

async function streamed(run: WithSonde, shown: ChatOutput): Promise<ChatReply> {
  const { sonde, flags, output, signal } = run;
  const limits = { ...MAX_TIMEOUT, signal };
  for await (const event of sonde.chatStream(requestOf(run), limits)) {
    shown.event(event);
    if (flags.json) output.write(`${JSON.stringify(event)}\n`);
    else if (event.type === 'delta') shown.delta(event.data);
    if (event.type === 'completed') return event.data;
    if (event.type === 'error') return failedReply(event.data);
  }
  throw new SondeConnectionError(
    'the stream ended before the response was complete',
  );
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

/** A stored chat, which continues after this process has exited. */
export function activeRun(
  { sonde, tokens }: WithSonde,
  { chat_id, invocation_token: token }: RunRef,
): ActiveRun {
  // Requests with a key always create a stored chat.
  const id = chat_id ?? '';
  const ref = { chat_id, invocation_token: token };
  return {
    id,
    prefix: tokens.save(id, token),
    cancel: () => sonde.chats.cancel(ref, CANCEL_TIMEOUT),
  };
}

/** A stream that ends with an error has no reply; this one carries the error. */
function failedReply(error: {
  message: string;
  code?: string;
  retryable?: boolean;
}): ChatReply {
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
      retryable: error.retryable ?? false,
    },
    required_action: null,
    chat_id: null,
    invocation_token: null,
  };
}
