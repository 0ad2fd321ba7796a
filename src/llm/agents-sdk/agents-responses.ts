import type { AgentOutputItem } from '@openai/agents';
import type { Response } from 'openai/resources/responses/responses';
import type { FunctionCall, ModelRequest } from '../turns/model.types';
import { ResponsesConversation } from '../responses/responses-conversation';
import type { ResponsesEngine } from '../responses/responses-engine';
import {
  type InputItem,
  sentBack,
  toFunctionTools,
  toInputItems,
} from '../responses/responses-input';
import { readCalls, readContent } from '../responses/responses-output';
import { sentBackItems } from '../responses/responses-text';
import { resultMessages } from '../turns/assistant-message';
import type { DeltaEmitter } from '../turns/delta-emitter';
import {
  callsAtOnce,
  responsesChoice,
  type ToolChoice,
} from '../turns/tool-choice';
import { entriesIn, textsIn } from '../upstream/reply-fields';
import { type AgentsProtocol, type AgentsTurn, carried } from './agents-run';

/** Items that need nothing of the SDK: those of hosted tools are only sent back with the next turn. */
const READABLE =
  /^(message|reasoning|function_call|(web_search|file_search|code_interpreter|image_generation)_call)$|^mcp_/;

/** The conversation of one run of the SDK over the Responses API. Every turn sends all of it. */
export class AgentsOverResponses implements AgentsProtocol {
  private readonly items: InputItem[];
  private readonly tools: object[];

  constructor(
    private readonly engine: ResponsesEngine,
    private readonly request: ModelRequest,
    private readonly emitter: DeltaEmitter,
  ) {
    this.items = toInputItems(request.input);
    this.tools = toFunctionTools(request.tools);
  }

  async turn(choice: ToolChoice, signal: AbortSignal): Promise<AgentsTurn> {
    const { items, tools } = this;
    const { model } = this.request;
    const body = {
      model,
      ...(tools.length > 0 && { tools }),
      ...responsesChoice(choice, tools),
      ...callsAtOnce(this.request, tools),
    };
    const response = await this.engine.takeTurn(
      body,
      new ResponsesConversation(items),
      { ...this.request, signal },
      this.emitter,
    );
    return {
      id: response.id,
      usage: response.usage,
      calls: () => readCalls(response),
      content: () => readContent(response),
      unreadable: unreadableIn(response),
      add: (calls, outputs) => {
        const results = toInputItems(resultMessages(calls, outputs));
        items.push(...outputOf(response, calls), ...results);
      },
    };
  }
}

function unreadableIn({ output }: Response): AgentOutputItem[] {
  const items: object[] = entriesIn(output).filter(
    ({ type }) => !READABLE.test(type),
  );
  return items as AgentOutputItem[];
}

/** The output in its order, with the ids of `calls`: a call without the reasoning before it is refused. */
function outputOf(
  response: Response,
  calls: readonly FunctionCall[],
): InputItem[] {
  const left = [...calls];
  return sentBackItems(response).map((item): InputItem => {
    switch (item.type) {
      case 'function_call': {
        const { callId, ...call } = carried(left.shift()!);
        return { ...item, ...call, call_id: callId };
      }
      case 'message':
        return {
          ...item,
          role: 'assistant' as const,
          status: 'completed' as const,
          content: textsIn(item.content).map(outputText),
        };
      case 'reasoning':
        return { ...item, summary: entriesIn(item.summary) };
      default:
        return sentBack(item);
    }
  });
}

function outputText(text: string) {
  return { type: 'output_text' as const, text, annotations: [] };
}
