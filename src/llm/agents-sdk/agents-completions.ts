import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { CompletionsEngine } from '../completions/completions-engine';
import {
  toCompletionMessages,
  toCompletionTools,
} from '../completions/completions-messages';
import {
  calledTurn,
  readCompletion,
  readCompletionCalls,
  readCompletionUsage,
} from '../completions/completions-reply';
import type { ModelRequest } from '../turns/model.types';
import type { DeltaEmitter } from '../turns/delta-emitter';
import {
  callsAtOnce,
  completionsChoice,
  type ToolChoice,
} from '../turns/tool-choice';
import { type AgentsProtocol, type AgentsTurn, carried } from './agents-run';

/** The conversation of one run of the SDK over Chat Completions. */
export class AgentsOverCompletions implements AgentsProtocol {
  private readonly messages: ChatCompletionMessageParam[];
  private readonly tools: object[];

  constructor(
    private readonly engine: CompletionsEngine,
    private readonly request: ModelRequest,
    private readonly emitter: DeltaEmitter,
  ) {
    this.messages = toCompletionMessages(request.input);
    this.tools = toCompletionTools(request.tools);
  }

  async turn(choice: ToolChoice, signal: AbortSignal): Promise<AgentsTurn> {
    const { messages, tools } = this;
    const body = {
      model: this.request.model,
      messages,
      ...(tools.length > 0 && { tools }),
      ...completionsChoice(choice, tools),
      ...callsAtOnce(this.request, tools),
    };
    const completion = await this.engine.takeTurn(
      body,
      { ...this.request, signal },
      this.emitter,
    );
    return {
      id: completion.id,
      ...readCompletionUsage(completion),
      calls: () => readCompletionCalls(completion),
      content: () => readCompletion(completion),
      unreadable: [],
      add: (calls, outputs) => {
        messages.push(...calledTurn(completion, calls.map(carried), outputs));
      },
    };
  }
}
