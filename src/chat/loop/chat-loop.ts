import {
  addUsage,
  type TurnProgress,
  type FunctionCall,
  joinThinking,
  type ModelAnswer,
  type ModelRequest,
} from '../../llm/turns/model.types';
import type { Spending } from '../../llm/prices/spending';
import type { ModelClient } from '../../llm/model.client';
import { withUniqueIds } from '../../platform/message/call-arguments';
import { distinctSources } from '../../platform/message/citation';
import type { MessageDelta } from '../../platform/message/delta';
import type { Message } from '../../platform/message/message';
import { traced } from '../../platform/tracing/tracing';
import type { ChatReply } from '../dto/chat-response.dto';
import type { RequiredAction } from '../tools/approvals';
import type { ToolCallRunner } from '../tools/tool-call-runner';
import type { Toolset } from '../tools/toolset';
import type { Agent, Agents } from '../turns/chat-agents';
import type { ChatObserver } from '../turns/chat-observer';
import { messagesOf, type Turn } from '../turns/chat-turn';
import { chatReply, NO_ANSWER, waitingReply } from './chat-reply';
import { functionReply } from './function-reply';

type TurnTotals = Omit<TurnProgress, 'text'>;

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

/**
 * One chat, from any point that it has reached: runs of models one after the other, with the calls that they request. A new
 * run starts after a handoff to another agent, and where the chat continues in another process. Each run receives the whole
 * conversation, so that any engine can take it.
 */
export class ChatLoop {
  private agent: Agent;
  private answer = NO_ANSWER;
  private requiredAction: RequiredAction | null = null;
  private handsBack = false;
  private emitted = false;
  /** The first unused index of a part. */
  private nextIndex = 0;

  /** @param turns the completed turns; the loop appends new ones. */
  constructor(
    private readonly parts: ChatLoopParts,
    readonly turns: Turn[],
  ) {
    const last = turns.at(-1);
    this.agent = last ? parts.agents.get(last.agent) : parts.agents.first;
    if (last) {
      const { responseId, usage, contents, sources, thinking } = last;
      const totals = { responseId, usage, contents, sources, thinking };
      this.answer = { ...NO_ANSWER, ...totals };
    }
  }

  /** @throws the reason of the signal, GuardrailTripped, or the error that prevents a call. */
  async run(): Promise<ChatResult> {
    const { calls } = this.parts;
    let continues = true;
    for (const [index, turn] of this.turns.entries())
      continues = await this.runCalls(turn, index);
    while (continues) continues = await this.runModel();
    const { answer, requiredAction, agent } = this;
    const reply = requiredAction
      ? waitingReply(requiredAction, answer, calls, agent.name)
      : this.handsBack
        ? functionReply(answer, calls.completed, this.turns)
        : chatReply(answer, calls, agent.name);
    return { reply, answer, requiredAction };
  }

  /** One run of a model. Returns whether another run follows. */
  private async runModel(): Promise<boolean> {
    const { models, toolset, input, maxTurns, emit, signal } = this.parts;
    const { options = {}, spending } = this.parts;
    const { agent, answer } = this;
    const turnsBefore = this.turns.length;
    let continues = false;
    const run = await asAgent(agent, () =>
      models.run({
        model: (agent.allowsModelChoice && options.model) || agent.model,
        ...(turnsBefore === 0 && { toolChoice: options.toolChoice }),
        parallelCalls: options.parallelCalls,
        sampling: options.sampling,
        headers: options.headers,
        input: [...instructionsOf(agent), ...input, ...messagesOf(this.turns)],
        tools: toolset.functions(agent),
        hosted: toolset.hosted(agent),
        byAgent: agent.name !== null,
        maxTurns: Math.max(1, maxTurns - this.turns.length),
        callTools: async (calls, asked) => {
          const turn = this.newTurn(calls, asked, answer);
          this.turns.push(turn);
          const index = this.turns.length - 1;
          await this.parts.observer?.callsRequested(turn, index);
          continues = await this.runCalls(turn, index);
          return {
            outputs: turn.results.map((result) => result?.output ?? []),
            done: !continues || this.agent !== agent,
          };
        },
        onDelta: emit && this.reindexed(emit),
        spending,
        signal,
      }),
    );
    this.answer = { ...run, ...totalsOf(answer, run) };
    // The turns hold all results so far, so that the next engine can continue after a failure of this one.
    const replaced =
      this.turns.length > turnsBefore &&
      !this.emitted &&
      models.hasFallback(run);
    return continues && (this.agent !== agent || replaced);
  }

  /** Runs the calls of a turn that have no result yet. Returns whether the model takes a turn afterwards. */
  private async runCalls(turn: Turn, index: number): Promise<boolean> {
    const { agents, toolset, calls } = this.parts;
    const agent = agents.get(turn.agent);
    this.requiredAction = toolset.requiredAction(agent, turn);
    if (this.requiredAction) return false;
    const ran = await calls.runTurn(agent, turn, index);
    const { done, handoff } = ran;
    this.handsBack = ran.handsBack;
    if (handoff !== undefined) this.agent = agents.get(handoff);
    return !done;
  }

  private newTurn(
    calls: readonly FunctionCall[],
    asked: TurnProgress,
    before: ModelAnswer,
  ): Turn {
    const ids = new Set(
      this.turns.flatMap((turn) => turn.calls.map(({ callId }) => callId)),
    );
    return {
      agent: this.agent.name,
      text: asked.text,
      calls: withUniqueIds(calls, ids),
      atMs: this.parts.now?.() ?? Date.now(),
      ...totalsOf(before, asked),
      results: [],
      spent: this.parts.spending?.total,
      foreignText: this.parts.toolset.hasForeignText(this.agent, this.turns),
    };
  }

  /** Shifts the part indexes of a run behind those of the runs before it. */
  private reindexed(
    emit: (delta: MessageDelta) => void,
  ): (delta: MessageDelta) => void {
    const base = this.nextIndex;
    return ({ contents, ...delta }) => {
      this.emitted = true;
      const shifted = contents?.map((part) => {
        const index = part.index + base;
        this.nextIndex = Math.max(this.nextIndex, index + 1);
        return { ...part, index };
      });
      emit({ ...delta, ...(shifted && { contents: shifted }) });
    };
  }
}

/** The totals of several runs, as one run would report them. */
function totalsOf(before: TurnTotals, run: TurnTotals): TurnTotals {
  const contents = [...(before.contents ?? []), ...(run.contents ?? [])];
  const sources = [...(run.sources ?? []), ...(before.sources ?? [])];
  const thinking = joinThinking(before.thinking, run.thinking ?? '');
  return {
    responseId: run.responseId ?? before.responseId,
    usage: addUsage(before.usage, run),
    ...(contents.length > 0 && { contents }),
    ...(sources.length > 0 && { sources: distinctSources(sources) }),
    ...(thinking && { thinking }),
  };
}

/** The part of a chat that an agent of the configuration has is a span. */
function asAgent<T>({ name }: Agent, work: () => Promise<T>): Promise<T> {
  if (name === null) return work();
  const about = { operation: 'invoke_agent', agent: name } as const;
  return traced('internal', `invoke_agent ${name}`, about, work);
}

function instructionsOf({ instructions }: Agent): Message[] {
  if (instructions === null) return [];
  const contents = [{ type: 'text' as const, text: instructions }];
  return [{ role: 'system', contents }];
}
