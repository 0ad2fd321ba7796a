import {
  addUsage,
  type AskedTurn,
  type FunctionCall,
  joinThinking,
  type ModelAnswer,
  type ModelRequest,
} from '../../llm/model.types';
import type { ModelClient } from '../../llm/model.client';
import { newCallId } from '../../message/call.arguments';
import { distinctSources } from '../../message/citation';
import type { MessageDelta } from '../../message/delta';
import type { Message } from '../../message/message';
import type { Agent, Agents } from './agents';
import type { ChatReply } from '../dto/chat-response.dto';
import { chatReply, NO_ANSWER, waitingReply } from './chat.reply';
import type { ChatObserver } from './chat.observer';
import { messagesOf, type Turn } from './chat.turn';
import type { RequiredAction } from '../tools/approvals';
import type { Toolset } from '../tools/toolset';
import { handedTo, type ToolCallRunner } from '../tools/tool-call.runner';

type Found = Omit<AskedTurn, 'text'>;

/** How a chat came to its end for now. */
export interface ChatEnd {
  reply: ChatReply;
  answer: ModelAnswer;
  /** It goes on when a human has decided that. */
  waits: RequiredAction | null;
}

/** What a request chose for the turns of the models. */
export interface TurnOptions extends Pick<
  ModelRequest,
  'toolChoice' | 'headers'
> {
  model?: string | null;
}

/** What a chat is carried with. */
export interface ChatLoopParts {
  models: ModelClient;
  agents: Agents;
  offer: Toolset;
  calls: ToolCallRunner;
  input: readonly Message[];
  maxTurns: number;
  /** Told what the models say. */
  tell?: (delta: MessageDelta) => void;
  notes?: ChatObserver;
  options?: TurnOptions;
  /** By the clock that ids go by. */
  now?: () => number;
  gone: AbortSignal;
}

/**
 * One chat, from wherever it has got to: runs of models, one after the other, with the calls that they ask for. A new run
 * begins where the conversation was handed over to another agent, and where the chat goes on in another process; it is told
 * the whole conversation, whichever engine takes it.
 */
export class ChatLoop {
  private agent: Agent;
  private answer = NO_ANSWER;
  private waits: RequiredAction | null = null;
  private told = false;
  /** The first index that no part has. */
  private next = 0;

  /** @param turns those that were taken already. New ones are added to it. */
  constructor(
    private readonly parts: ChatLoopParts,
    readonly turns: Turn[],
  ) {
    const last = turns.at(-1);
    this.agent = last ? parts.agents.get(last.agent) : parts.agents.first;
    if (last) {
      const { responseId, usage, contents, sources, thinking } = last;
      const found = { responseId, usage, contents, sources, thinking };
      this.answer = { ...NO_ANSWER, ...found };
    }
  }

  /** @throws the reason of `gone`, GuardrailTripped, or what keeps a call from being made for now. */
  async run(): Promise<ChatEnd> {
    const { calls } = this.parts;
    let goesOn = true;
    for (const [index, turn] of this.turns.entries())
      goesOn = await this.make(turn, index);
    while (goesOn) goesOn = await this.speak();
    const { answer, waits, agent } = this;
    const reply = waits
      ? waitingReply(waits, answer, calls, agent.name)
      : chatReply(answer, calls, agent.name);
    return { reply, answer, waits };
  }

  /** One run of a model. True if another one is to go on. */
  private async speak(): Promise<boolean> {
    const { models, offer, input, maxTurns, tell, gone } = this.parts;
    const { options = {} } = this.parts;
    const { agent, answer } = this;
    const taken = this.turns.length;
    let goesOn = false;
    const run = await models.run({
      model: (agent.takesModel && options.model) || agent.model,
      ...(taken === 0 && { toolChoice: options.toolChoice }),
      headers: options.headers,
      input: [...instructionsOf(agent), ...input, ...messagesOf(this.turns)],
      tools: offer.functions(agent),
      hosted: offer.hosted(agent),
      byAgent: agent.name !== null,
      maxTurns: Math.max(1, maxTurns - this.turns.length),
      callTools: async (calls, asked) => {
        const turn = this.begin(calls, asked, answer);
        this.turns.push(turn);
        const index = this.turns.length - 1;
        await this.parts.notes?.asked(turn, index);
        goesOn = await this.make(turn, index);
        return {
          outputs: turn.results.map((result) => result?.output ?? []),
          done: !goesOn || this.agent !== agent,
        };
      },
      ...(tell && { tell: this.shifted(tell) }),
      signal: gone,
    });
    this.answer = { ...run, ...sum(answer, run) };
    // What was done is known, so that the next engine can go on from it.
    const replaced =
      this.turns.length > taken && !this.told && models.hasAnother(run);
    return goesOn && (this.agent !== agent || replaced);
  }

  /** Makes what is left to be made of a turn. True if a model is to go on after it. */
  private async make(turn: Turn, index: number): Promise<boolean> {
    const { agents, offer, calls } = this.parts;
    const agent = agents.get(turn.agent);
    this.waits = offer.awaited(agent, turn);
    if (this.waits) return false;
    const { done } = await calls.make(agent, turn, index);
    const to = handedTo(agent, turn);
    if (to !== undefined) this.agent = agents.get(to);
    return !done;
  }

  private begin(
    calls: readonly FunctionCall[],
    asked: AskedTurn,
    before: ModelAnswer,
  ): Turn {
    const ids = new Set(
      this.turns.flatMap((turn) => turn.calls.map(({ callId }) => callId)),
    );
    return {
      agent: this.agent.name,
      text: asked.text,
      calls: calls.map((call) => {
        // Some servers count their ids anew in every turn, or give none.
        const isNew = call.callId !== '' && !ids.has(call.callId);
        const callId = isNew ? call.callId : newCallId();
        ids.add(callId);
        return { ...call, callId };
      }),
      atMs: this.parts.now?.() ?? Date.now(),
      ...sum(before, asked),
      results: [],
      foreignText: this.parts.offer.hasForeignText(this.agent, this.turns),
    };
  }

  /** What a later run says has a higher index than all that was said before. */
  private shifted(
    tell: (delta: MessageDelta) => void,
  ): (delta: MessageDelta) => void {
    const base = this.next;
    return ({ contents, ...delta }) => {
      this.told = true;
      const moved = contents?.map((part) => {
        const index = part.index + base;
        this.next = Math.max(this.next, index + 1);
        return { ...part, index };
      });
      tell({ ...delta, ...(moved && { contents: moved }) });
    };
  }
}

/** What several runs took and found, as one would have told it. */
function sum(before: Found, run: Found): Found {
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

function instructionsOf({ instructions }: Agent): Message[] {
  if (instructions === null) return [];
  const contents = [{ type: 'text' as const, text: instructions }];
  return [{ role: 'system', contents }];
}
