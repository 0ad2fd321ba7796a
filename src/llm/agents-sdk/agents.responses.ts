import { randomUUID } from 'node:crypto';
import type { AgentInputItem, Model } from '@openai/agents';
import type OpenAI from 'openai';
import type {
  Response,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { imageUrl } from '../../message/image';
import type { Part } from '../../message/message';
import { textOf } from '../../message/part.text';
import { AgentsInput } from './agents.input';
import { type AgentsRun, carried } from './agents.run';
import type { AgentsSdk } from './agents.sdk';
import { entriesIn, textsIn } from '../upstream/reply.fields';
import type { FunctionCall, ModelRequest } from '../model.types';
import { ResponsesConversation } from '../responses/responses.conversation';
import type { ResponsesEngine } from '../responses/responses.engine';
import { toFunctionTools, toInputItems } from '../responses/responses.input';
import { readCalls, readContent } from '../responses/responses.output';
import { responsesChoice, type ToolChoice } from '../turns/tool.choice';

/** Items of hosted tools. */
const HOSTED =
  /^(web_search|file_search|code_interpreter|image_generation)_call$|^mcp_/;

/** The part of the SDK's request that is used. */
interface Written {
  input: ResponseInputItem[];
}

/** One run of the SDK over the Responses API. Every turn sends the whole conversation. */
export class AgentsOverResponses {
  private readonly before: AgentsInput<ResponseInputItem>;

  constructor(
    private readonly engine: ResponsesEngine,
    private readonly request: ModelRequest,
    private readonly run: AgentsRun,
  ) {
    this.before = new AgentsInput(toInputItems(request.input));
  }

  input(): AgentInputItem[] {
    return this.before.reference();
  }

  model(sdk: AgentsSdk): Model {
    const create = (written: Written) =>
      this.run.take((choice) => this.turn(written, choice));
    const client = { responses: { create } } as unknown as OpenAI;
    return new sdk.OpenAIResponsesModel(client, this.request.model);
  }

  /** The result of a call, as a tool of the SDK returns it. */
  output(_: string, parts: readonly Part[]): string | object[] {
    if (!parts.some(({ type }) => type === 'image')) return textOf(parts);
    return parts.map((part) =>
      part.type === 'image'
        ? { type: 'image', image: imageUrl(part.image), detail: 'auto' }
        : { type: 'text', text: textOf([part]) },
    );
  }

  private async turn({ input }: Written, choice: ToolChoice) {
    const { model } = this.request;
    const tools = toFunctionTools(this.request.tools);
    const body = {
      model,
      ...(tools.length > 0 && { tools }),
      ...responsesChoice(choice, tools),
    };
    const response = await this.engine.takeTurn(
      body,
      new ResponsesConversation(
        input.flatMap((item) => this.before.resolve(item)).map(unwrapped),
      ),
      this.run.signal,
      this.run.emitter,
      this.request.hosted,
    );
    const content = readContent(response);
    return {
      id: response.id,
      usage: response.usage,
      calls: () => readCalls(response),
      content: () => content,
      reply: (calls: readonly FunctionCall[]) => ({
        id: response.id,
        status: 'completed',
        output:
          calls.length > 0
            ? outputOf(response, calls)
            : [message(content.text ?? '')],
      }),
    };
  }
}

/** The output in its order: a call without the reasoning before it is refused. */
function outputOf(
  response: Response,
  calls: readonly FunctionCall[],
): object[] {
  const left = [...calls];
  return entriesIn(response.output).flatMap((item) => {
    switch (item.type) {
      case 'function_call': {
        const { callId, ...call } = carried(left.shift()!);
        return { ...item, ...call, call_id: callId };
      }
      case 'message':
        return { ...item, ...message(...textsIn(item.content)) };
      case 'reasoning':
        return { ...item, summary: entriesIn(item.summary) };
      default:
        return HOSTED.test(item.type) ? wrapped(item) : item;
    }
  });
}

/**
 * Wraps the item of a hosted tool so that the SDK returns it unchanged with the next turn: the SDK drops items it does not
 * know, and rewrites known ones without their images.
 */
function wrapped(item: object): object {
  const id = `kept_${randomUUID()}`;
  return { type: 'web_search_call', id, status: 'completed', kept: [item] };
}

function unwrapped(item: ResponseInputItem): ResponseInputItem {
  const [inner] = (item as { kept?: ResponseInputItem[] }).kept ?? [];
  return inner ?? item;
}

function message(...texts: string[]): object {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: texts.map((text) => ({
      type: 'output_text',
      text,
      annotations: [],
    })),
  };
}
