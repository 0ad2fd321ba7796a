import type {
  FunctionCall,
  ModelAnswer,
  TurnProgress,
} from '../../llm/turns/model.types';
import { withUniqueIds } from '../../platform/message/call-arguments';
import type { Consult } from '../tools/agent-call';
import type { RequiredAction } from '../tools/approvals';
import { calledAgentOf } from '../turns/chat-agents';
import { messagesOf, placeOf, type Turn } from '../turns/chat-turn';
import {
  type CallError,
  errorDto,
  openCall,
  refusedCall,
} from '../turns/tool-call';
import { isSettled } from '../turns/tool-call-outcomes';
import {
  type AgentWork,
  answeredBy,
  asAgent,
  count,
  countedOf,
  endOf,
  instructionsOf,
  isOf,
  messageOf,
  samplingOf,
  totalsOf,
  type TurnTotals,
  workOf,
} from './agent-work';
import { ChatDeltas } from './chat-deltas';
import type { ChatLoopParts, ChatResult } from './chat-loop-parts';
import { chatReply, DONE, NO_ANSWER, waitingReply } from './chat-reply';
import { functionReply } from './function-reply';

/** What the model of a caller receives. */
const NO_TURNS =
  'No turns are left for other agents. Answer from what is known so far.';

/**
 * One chat, from any point that it has reached: runs of models one after the other, with the calls that they request. A new
 * run starts after a handoff to another agent, and where the chat continues in another process. Each run receives the whole
 * conversation, so that any engine can take it.
 */
export class ChatLoop {
  /** The work on the chat itself. */
  private readonly chat: AgentWork;
  /** The work that is done now: on the chat, or on a call of an agent. */
  private work: AgentWork;
  /** What the chat took so far. */
  private totals: TurnTotals = NO_ANSWER;
  private requiredAction: RequiredAction | null = null;
  private handsBack = false;
  private readonly deltas: ChatDeltas;

  /** @param turns the completed turns; the loop appends new ones. */
  constructor(
    private readonly parts: ChatLoopParts,
    readonly turns: Turn[],
  ) {
    const { agents, input } = parts;
    const last = turns.at(-1);
    const lastOwn = turns.findLast(({ within }) => !within);
    if (last) {
      const { responseId, usage, contents, sources, thinking } = last;
      this.totals = { responseId, usage, contents, sources, thinking };
    }
    const agent = lastOwn ? agents.of(lastOwn) : agents.first;
    this.chat = workOf(agent, input, NO_ANSWER);
    count(this.chat, this.totals);
    this.work = this.chat;
    this.deltas = new ChatDeltas(parts.emit);
  }

  /** @throws the reason of the signal, GuardrailTripped, or the error that prevents a call. */
  async run(): Promise<ChatResult> {
    await this.carry(this.chat);
    const { requiredAction } = this;
    const { completed } = this.parts.calls;
    const { answer, agent, direct } = this.chat;
    const reply = requiredAction
      ? waitingReply(requiredAction, answer, { completed }, agent.name)
      : this.handsBack
        ? functionReply(answer, completed, this.turnsOf(this.chat))
        : chatReply(answer, { completed, direct }, agent.name);
    return { reply, answer, requiredAction };
  }

  /** Does a work, from the point that its turns have reached. */
  private async carry(work: AgentWork): Promise<void> {
    let continues = true;
    for (const turn of this.turnsOf(work)) {
      continues = turn.calls.length > 0 && (await this.runCalls(work, turn));
      if (turn.calls.length === 0)
        work.answer = { ...work.answer, ...endOf(turn) };
    }
    while (continues) continues = await this.runModel(work);
  }

  /** One run of a model. Returns whether another run follows. */
  private async runModel(work: AgentWork): Promise<boolean> {
    const { models, toolset, maxTurns, signal } = this.parts;
    const { options = {}, spending } = this.parts;
    const { agent, input, depth, within } = work;
    const turnsBefore = this.turns.length;
    let continues = false;
    let asksAgents = false;
    const run = await asAgent(agent, () =>
      models.run({
        model: (agent.allowsModelChoice && options.model) || agent.model,
        ...(turnsBefore === 0 && { toolChoice: options.toolChoice }),
        parallelCalls: options.parallelCalls,
        sampling: samplingOf(agent, options.sampling),
        headers: options.headers,
        input: [
          ...instructionsOf(agent),
          ...input,
          ...messagesOf(this.turnsOf(work)),
        ],
        tools: toolset.functions(agent),
        hosted: toolset.hosted(agent),
        byAgent: agent.name !== null,
        maxTurns: Math.max(1, maxTurns - turnsBefore - depth),
        callTools: async (calls, asked) => {
          const turn = await this.take(work, calls, asked);
          asksAgents = calls.some(({ name }) => calledAgentOf(agent, name));
          if (asksAgents) count(work, asked);
          continues = await this.runCalls(work, turn);
          return {
            outputs: turn.results.map((result) => result?.output ?? []),
            // The turns that other agents took leave this one fewer.
            done: !continues || work.agent !== agent || asksAgents,
          };
        },
        onDelta: within ? undefined : this.deltas.ofRun(),
        spending,
        signal,
      }),
    );
    if (!asksAgents) count(work, run);
    const totals = totalsOf(work.answer, NO_ANSWER);
    work.answer = { ...countedOf(work, run), ...totals };
    this.totals = totalsOf(work.before, work.answer);
    // The turns hold all results so far, so that the next engine can continue after a failure of this one.
    const replaced =
      this.turns.length > turnsBefore &&
      (within !== undefined || !this.deltas.emitted) &&
      models.hasFallback(run);
    if (continues && (work.agent !== agent || asksAgents || replaced))
      return true;
    if (within && (run.failure || run.text !== null)) await this.end(work, run);
    return false;
  }

  /** Runs the calls of a turn that have no result yet. Returns whether the model takes a turn afterwards. */
  private async runCalls(work: AgentWork, turn: Turn): Promise<boolean> {
    const { agents, toolset, calls } = this.parts;
    await this.restore(turn);
    const agent = agents.of(turn);
    this.requiredAction = toolset.requiredAction(agent, turn);
    if (this.requiredAction) return false;
    const index = this.turns.indexOf(turn);
    const ran = await calls.runTurn(agent, turn, index, this.consult);
    this.handsBack = ran.handsBack;
    work.direct = ran.direct;
    if (ran.handoff !== undefined) work.agent = agents.get(ran.handoff);
    return !ran.done;
  }

  /** Counts what agents did in the calls of a turn that have a result. */
  private async restore(turn: Turn): Promise<void> {
    const { agents, calls } = this.parts;
    const at = this.turns.indexOf(turn);
    for (const [call, result] of turn.results.entries()) {
      const within = { turn: at, call };
      for (const inner of result ? this.turnsOf({ within }) : []) {
        await this.restore(inner);
        const index = this.turns.indexOf(inner);
        if (inner.calls.length > 0)
          await calls.runTurn(agents.of(inner), inner, index, this.consult);
      }
    }
  }

  /** Has another agent answer a call of the agent at work. */
  private readonly consult: Consult = async (call, to, input) => {
    const { agents, calls, maxTurns } = this.parts;
    // An earlier call of the turn waits for the user, or ends the chat.
    if (this.requiredAction || isSettled(calls.completed))
      return openCall(call);
    const by = this.work;
    const work = {
      ...workOf(agents.called(to), [messageOf('user', input)], this.totals),
      within: placeOf(this.turns, call),
      depth: by.depth + 1,
    };
    const left = maxTurns - this.turns.length - work.depth;
    if (left < 1 && this.turnsOf(work).length === 0)
      return refusedCall(call, 'LIMIT_REACHED', NO_TURNS);
    this.work = work;
    await this.carry(work);
    this.work = by;
    count(by, work.answer);
    return answeredBy(work, call);
  };

  /** The last turn of an agent that is called: what it took is on record before its answer is used. */
  private async end(work: AgentWork, { text, failure }: ModelAnswer) {
    const said = failure ? '' : text || DONE;
    const error = failure && errorDto(failure);
    const turn = await this.take(work, [], { ...NO_ANSWER, text: said }, error);
    work.answer = { ...work.answer, ...endOf(turn) };
  }

  private turnsOf(work: Pick<AgentWork, 'within'>): Turn[] {
    return this.turns.filter((turn) => isOf(work, turn));
  }

  private async take(
    work: AgentWork,
    calls: readonly FunctionCall[],
    asked: TurnProgress,
    error?: CallError | null,
  ): Promise<Turn> {
    const ids = new Set(
      this.turns.flatMap((turn) => turn.calls.map(({ callId }) => callId)),
    );
    const total = totalsOf(work.before, work.answer);
    this.totals = totalsOf(total, countedOf(work, asked));
    const turn: Turn = {
      agent: work.agent.name,
      ...(work.within && { within: work.within }),
      ...(error && { error }),
      text: asked.text,
      calls: withUniqueIds(calls, ids),
      atMs: this.parts.now?.() ?? Date.now(),
      ...this.totals,
      results: [],
      spent: this.parts.spending?.total,
      foreignText: this.parts.toolset.hasForeignText(work.agent, this.turns),
    };
    this.turns.push(turn);
    await this.parts.observer?.turnTaken(turn, this.turns.length - 1);
    return turn;
  }
}
