import type { ModelAnswer, ModelRequest } from '../../llm/turns/model.types';
import type { Spending } from '../../llm/prices/spending';
import type { ModelClient } from '../../llm/model.client';
import type { MessageDelta } from '../../platform/message/delta';
import type { Message } from '../../platform/message/message';
import type { ChatReply } from '../dto/chat-response.dto';
import type { RequiredAction } from '../tools/approvals';
import type { ToolCallRunner } from '../tools/tool-call-runner';
import type { Toolset } from '../tools/toolset';
import type { Agents } from '../turns/chat-agents';
import type { ChatObserver } from '../turns/chat-observer';

export interface ChatResult {
  reply: ChatReply;
  answer: ModelAnswer;
  /** The decisions that the chat needs before it continues; null if it has ended. */
  requiredAction: RequiredAction | null;
}

/** The options of a request that apply to turns of the model. */
export interface TurnOptions extends Pick<
  ModelRequest,
  'toolChoice' | 'parallelCalls' | 'sampling' | 'headers'
> {
  model?: string | null;
}

export interface ChatLoopParts {
  models: ModelClient;
  agents: Agents;
  toolset: Toolset;
  calls: ToolCallRunner;
  input: readonly Message[];
  maxTurns: number;
  /** Receives the deltas of the models. */
  emit?: (delta: MessageDelta) => void;
  observer?: ChatObserver;
  /** Receives the cost of every reply of a model. */
  spending?: Spending;
  options?: TurnOptions;
  /** The clock from which ids of runs are made. */
  now?: () => number;
  signal: AbortSignal;
}
