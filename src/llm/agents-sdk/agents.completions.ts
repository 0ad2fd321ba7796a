import type { AgentInputItem, Model } from '@openai/agents';
import type OpenAI from 'openai';
import type {
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type { Part } from '../../message/message';
import { AgentsInput } from './agents.input';
import { type AgentsRun, carried } from './agents.run';
import type { AgentsSdk } from './agents.sdk';
import { resultMessages } from '../turns/assistant.message';
import { textsIn } from '../upstream/reply.fields';
import type { CompletionsEngine } from '../completions/completions.engine';
import { toCompletionMessages } from '../completions/completions.messages';
import {
  readCompletion,
  readCompletionCalls,
  readCompletionUsage,
} from '../completions/completions.reply';
import type { FunctionCall, ModelRequest } from '../model.types';
import { completionsChoice, type ToolChoice } from '../turns/tool.choice';

/** The part of the SDK's request that is used. */
interface Written {
  messages: ChatCompletionMessageParam[];
  tools?: object[];
}

/** One run of the SDK over Chat Completions. */
export class AgentsOverCompletions {
  /** Call -> its images, which the SDK drops. */
  private readonly shown = new Map<string, ChatCompletionUserMessageParam>();
  private readonly before: AgentsInput<ChatCompletionMessageParam>;

  constructor(
    private readonly engine: CompletionsEngine,
    private readonly request: ModelRequest,
    private readonly run: AgentsRun,
  ) {
    this.before = new AgentsInput(toCompletionMessages(request.input));
  }

  input(): AgentInputItem[] {
    return this.before.reference();
  }

  model(sdk: AgentsSdk): Model {
    const create = (written: Written) =>
      this.run.take((choice) => this.turn(written, choice));
    const client = { chat: { completions: { create } } } as unknown as OpenAI;
    return new sdk.OpenAIChatCompletionsModel(client, this.request.model);
  }

  /** The result of a call, as a tool of the SDK returns it. */
  output(callId: string, parts: readonly Part[]): string {
    const [message, images] = toCompletionMessages(
      resultMessages([{ callId }], [parts]),
    );
    if (images?.role === 'user') this.shown.set(callId, images);
    return message.content as string;
  }

  private async turn({ messages, tools = [] }: Written, choice: ToolChoice) {
    const { model } = this.request;
    const body = {
      model,
      messages: this.withImages(
        messages
          .flatMap((message) => this.before.resolve(message))
          .map(withPlainText),
      ),
      ...(tools.length > 0 && { tools }),
      ...completionsChoice(choice, tools),
    };
    const { signal, emitter } = this.run;
    const completion = await this.engine.takeTurn(body, signal, emitter);
    const content = readCompletion(completion);
    return {
      id: completion.id,
      ...readCompletionUsage(completion),
      calls: () => readCompletionCalls(completion),
      content: () => content,
      reply: (calls: readonly FunctionCall[]) => ({
        id: completion.id,
        choices: [{ message: messageOf(calls, content.text) }],
      }),
    };
  }

  /** Places the images of a turn after all of its results: nothing may stand between the results. */
  private withImages(
    messages: readonly ChatCompletionMessageParam[],
  ): ChatCompletionMessageParam[] {
    if (this.shown.size === 0) return [...messages];
    return messages.flatMap((message, at) => {
      if (message.role !== 'tool' || messages[at + 1]?.role === 'tool') {
        return message;
      }
      const before = messages.slice(0, at + 1);
      const from = before.findLastIndex(({ role }) => role !== 'tool') + 1;
      const content = before.slice(from).flatMap((result) => {
        const id = result.role === 'tool' ? result.tool_call_id : '';
        return (this.shown.get(id)?.content ?? []) as object[];
      });
      return content.length > 0
        ? [message, { role: 'user', content } as ChatCompletionUserMessageParam]
        : message;
    });
  }
}

/**
 * Reduces the content to text: the SDK copies the other fields of a message into each of its parts, which no endpoint
 * accepts.
 */
function withPlainText(
  message: ChatCompletionMessageParam,
): ChatCompletionMessageParam {
  return message.role === 'assistant' && Array.isArray(message.content)
    ? { ...message, content: textsIn(message.content).join('') || null }
    : message;
}

function messageOf(calls: readonly FunctionCall[], text: string) {
  return {
    role: 'assistant',
    content: text || null,
    tool_calls: calls.map(carried).map(({ callId, ...called }) => ({
      id: callId,
      type: 'function',
      function: called,
    })),
  };
}
