import type { ChatReply, ChatRequest } from '../chat-types.js';
import type { ChatRef } from '../chats.js';
import { SondeConnectionError, SondeError } from '../errors.js';
import { CANCELLING, type UnderWay } from './interrupt.js';
import { ANY_TIME, heldSeconds, type WithSonde } from './run.js';
import { Told } from './told.js';

type Kept = Pick<ChatReply, 'chat_id' | 'invocation_token'>;

/** A chat with Sonde, in which the model decides whether to research. */
export async function chat(run: WithSonde): Promise<number> {
  const { stream, background } = run.flags;
  const told = new Told(run, !stream);
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
  // Its id is not known before it has ended; the same again, without waiting, has it.
  interrupt.find = async () => {
    const options = { ...CANCELLING, idempotencyKey, waitSeconds: 0 };
    return underWay(run, await sonde.chat(request, options));
  };
  const limits = { ...ANY_TIME, signal };
  const waitSeconds = heldSeconds(run.flags);
  const options = { ...limits, idempotencyKey, waitSeconds };
  const reply = await sonde.chat(request, options);
  if (reply.status !== 'queued' && reply.status !== 'running') return reply;
  interrupt.knows(underWay(run, reply));
  told.record(reply);
  try {
    return await follow(run, told, reply);
  } catch (error) {
    // Its events are there to be shown; the record itself comes over any connection.
    if (!(error instanceof SondeError)) throw error;
    return sonde.chats.wait(reply, limits);
  }
}

async function followed(run: WithSonde, told: Told): Promise<ChatReply> {
  const { sonde, interrupt, signal } = run;
  const request = { ...requestOf(run), background: true };
  const idempotencyKey = crypto.randomUUID();
  interrupt.find = async () => {
    const options = { ...CANCELLING, idempotencyKey };
    return underWay(run, await sonde.chat(request, options));
  };
  const limits = { ...ANY_TIME, signal };
  const begun = await sonde.chat(request, { ...limits, idempotencyKey });
  interrupt.knows(underWay(run, begun));
  told.record(begun);
  return follow(run, told, begun);
}

/** Shows what happens in it until it has ended, or waits for a human. */
export async function follow(
  { sonde, flags, output, signal }: WithSonde,
  told: Told,
  ref: ChatRef,
): Promise<ChatReply> {
  for await (const event of sonde.chats.events(ref, { signal })) {
    told.event(event);
    if (flags.stream && flags.json) output.write(`${JSON.stringify(event)}\n`);
    else if (flags.stream && event.type === 'delta') told.delta(event.data);
    if (event.type === 'requires_action') break;
  }
  // Settled already, but after a gap.
  return sonde.chats.wait(ref, { ...ANY_TIME, signal });
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

/** What a chat on record leaves behind when its caller goes. */
export function underWay(
  { sonde, tokens }: WithSonde,
  { chat_id, invocation_token: token }: Kept,
): UnderWay {
  // It is on record, for it was asked for with a key.
  const id = chat_id ?? '';
  const ref = { chat_id, invocation_token: token };
  return {
    id,
    prefix: tokens.keep(id, token),
    cancel: () => sonde.chats.cancel(ref, CANCELLING),
  };
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
