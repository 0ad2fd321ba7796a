import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { ApiError } from '../wire/api-error';
import { askOfChat } from './chat-request';
import { validateChat } from './chat-rules';
import { groundingOf } from './grounded-models';
import { groundedReply } from './grounded-reply';
import { checkRefused } from '../validation/refused-parameters';
import { EventStream } from '../wire/event-stream';
import type { Exchange } from '../wire/http';
import { dripJson, errorBody, sendJson } from '../wire/http';
import { isSlow } from '../plain/plain-models';
import { newId } from '../wire/ids';
import { asRead } from '../responses/as-read';
import { withinContext } from '../responses/context-limit';
import { pieces } from '../responses/item-events';
import { planRun } from '../responses/plan';
import type { Armed } from '../control/armed';
import type { Plan } from '../responses/script';
import type { SandboxState } from '../state';

/** The pieces in which a slow model sends its reply. */
const DROPS = 10;

type FinishReason = ChatCompletion.Choice['finish_reason'];

interface Reply {
  id: string;
  created: number;
  model: string;
  text: string | null;
  /** Of a model that thinks. */
  thoughts?: string;
  calls: ChatCompletionMessageFunctionToolCall[];
  finish: FinishReason;
  usage: CompletionUsage;
  /** The fields that a provider adds to the message and to the reply. */
  message?: object;
  reply?: object;
}

export async function createChatCompletion(
  x: Exchange,
  state: SandboxState,
  armed: Armed,
): Promise<void> {
  checkRefused(x.body, state.settings);
  const params = validateChat(x.body, state.settings);
  const { turn_ms, research_ms, dialect } = state.settings;
  const read = asRead(
    askOfChat(params),
    { model: params.model, tools: params.tools ?? [] },
    'chat_completions',
    state.settings,
  );
  const ask = withinContext(read, state.settings.context);
  const searches = ask.canSearch && ask.functions.length === 0;
  const slow = isSlow(params.model);
  const plan = planRun(
    ask,
    armed.run,
    searches || slow ? research_ms : turn_ms,
  );
  state.stats.chatCompletions++;
  if (searches) state.stats.countCreate(undefined);
  if (await armed.afterCreate()) return;
  const disconnected = new AbortController();
  x.res.on('close', () => disconnected.abort());
  const open = () =>
    new EventStream(x, dialect, true, {
      faults: armed.stream,
      book: state.faults,
    });
  const begun = params.stream && (searches || slow) ? open() : undefined;
  const wait = (ms: number) =>
    sleep(ms, undefined, { signal: disconnected.signal }).catch(() => {});
  if (!slow) await wait(plan.ms);
  if (disconnected.signal.aborted) return;
  if (plan.ending.status === 'failed') {
    const { code, message } = plan.ending.error;
    const error = new ApiError(500, message, null, code, 'server_error');
    if (!begun) throw error;
    begun.send([errorBody(error, state.settings) as object]);
    return begun.finish();
  }
  const reply = replyOf(plan, params.model);
  const pause = () => wait(plan.ms / DROPS);
  if (!params.stream)
    return slow
      ? dripJson(x.res, completionOf(reply), DROPS, pause)
      : sendJson(x.res, 200, completionOf(reply));
  const stream = begun ?? open();
  const chunks = chunksOf(reply, params.stream_options?.include_usage === true);
  const atOnce = slow ? Math.ceil(chunks.length / DROPS) : chunks.length;
  for (let from = 0; from < chunks.length; from += atOnce) {
    if (slow) await pause();
    stream.send(chunks.slice(from, from + atOnce));
  }
  stream.finish();
}

function replyOf({ items, ending, usage }: Plan, model: string): Reply {
  const { cost } = usage as { cost?: unknown };
  const calls = items.flatMap((item): Reply['calls'] =>
    item.type === 'function_call'
      ? [
          {
            id: item.call_id,
            type: 'function',
            function: { name: item.name, arguments: item.arguments },
          },
        ]
      : [],
  );
  const texts = items.flatMap((item) =>
    item.type === 'message'
      ? item.content.map((p) => (p.type === 'output_text' ? p.text : ''))
      : [],
  );
  const thoughts = items
    .flatMap((item) => (item.type === 'reasoning' ? (item.content ?? []) : []))
    .map((part) => part.text)
    .join('');
  const cutOff = thoughts !== '' && items.length === 1;
  const text = texts.length > 0 ? texts.join('') : cutOff ? '' : null;
  const form = groundingOf(model);
  const grounded = text !== null && form && groundedReply(text, form);
  return {
    id: newId('chatcmpl'),
    created: Math.floor(Date.now() / 1000),
    model,
    text,
    ...(thoughts !== '' && { thoughts }),
    ...grounded,
    calls,
    finish: finishOf(ending, calls.length > 0),
    usage: {
      prompt_tokens: usage.input_tokens,
      completion_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: usage.output_tokens_details.reasoning_tokens,
      },
      ...(cost !== undefined && { cost }),
    },
  };
}

function finishOf(ending: Plan['ending'], called: boolean): FinishReason {
  if (ending.status === 'incomplete')
    return ending.reason === 'content_filter' ? 'content_filter' : 'length';
  return called ? 'tool_calls' : 'stop';
}

const completionOf = (reply: Reply): ChatCompletion => ({
  id: reply.id,
  object: 'chat.completion',
  created: reply.created,
  model: reply.model,
  choices: [
    {
      index: 0,
      finish_reason: reply.finish,
      logprobs: null,
      message: {
        role: 'assistant',
        content: reply.text,
        ...(reply.thoughts && { reasoning_content: reply.thoughts }),
        refusal: null,
        annotations: [],
        ...(reply.calls.length > 0 && { tool_calls: reply.calls }),
        ...reply.message,
      },
    },
  ],
  usage: reply.usage,
  ...reply.reply,
});

type Delta = ChatCompletionChunk.Choice.Delta;

function chunksOf(reply: Reply, withUsage: boolean): ChatCompletionChunk[] {
  const { id, created, model } = reply;
  const base = { id, created, model, object: 'chat.completion.chunk' as const };
  const chunk = (
    delta: Delta,
    finish_reason: FinishReason | null = null,
  ): ChatCompletionChunk => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    ...(withUsage && { usage: null }),
  });
  return [
    chunk({ role: 'assistant', content: reply.text === null ? null : '' }),
    ...pieces(reply.thoughts ?? '', 400).map((reasoning_content) =>
      chunk({ reasoning_content } as Delta),
    ),
    ...pieces(reply.text ?? '', 24).map((content) => chunk({ content })),
    ...reply.calls
      .flatMap(callDeltas)
      .map((call) => chunk({ tool_calls: [call] })),
    { ...chunk({ ...reply.message }, reply.finish), ...reply.reply },
    ...(withUsage ? [{ ...base, choices: [], usage: reply.usage }] : []),
  ];
}

/** Id and name are sent once, in the first fragment; the arguments follow in pieces. */
function callDeltas(
  { id, function: { name, arguments: args } }: Reply['calls'][number],
  index: number,
): NonNullable<Delta['tool_calls']> {
  return [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...pieces(args, 32).map((part) => ({
      index,
      function: { arguments: part },
    })),
  ];
}
