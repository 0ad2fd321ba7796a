import type { GuardrailTripped } from '../../tools/guardrails/tripwire';
import { parseCallArguments } from '../../platform/message/call-arguments';
import type { Tool } from '../../tools/tool';
import {
  type Agent,
  calledAgentOf,
  handoffIn,
  handoffOf,
} from '../turns/chat-agents';
import type { CallWatcher } from '../turns/chat-observer';
import type { Turn, TurnResult } from '../turns/chat-turn';
import {
  answeredCall,
  type CompletedToolCall,
  refusedCall,
  type RequestedCall,
} from '../turns/tool-call';
import {
  consultedUrls,
  isDirect,
  isSettled,
} from '../turns/tool-call-outcomes';
import { callAgent, type Consult } from './agent-call';
import { isAnswer, mayDestroy, refusalOf } from './approvals';
import { guardedCall, unstarted } from './guarded-call';
import type { ResolvedCall } from './tool-call-invoker';
import type { ToolCallRunnerParts } from './tool-call-runner-parts';

/** A call in its turn. */
interface PlacedCall {
  agent: Agent;
  tool: Tool | undefined;
  turn: Turn;
  index: number;
  at: number;
  consult: Consult;
}

/** Runs the calls of one chat, turn by turn; in a call of another agent, the turns of that one. */
export class ToolCallRunner {
  /** In the order of the requests, whichever call of a turn ended first. */
  readonly completed: CompletedToolCall[] = [];
  private tripped?: GuardrailTripped;
  /** An error of one call aborts the others of its turn, whose results could not be used. */
  private readonly failure = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ToolCallRunnerParts) {}

  /** Resolves when no call is running, so that every run that was started is known. Never rejects. */
  async settled(): Promise<void> {
    await this.running;
  }

  /**
   * Runs the calls of a turn, but none of the caller's functions: all at once; those that may destroy something, and those
   * of other agents, in turn.
   * @throws the reason of the signal, or the error that prevents a call, once no call is running; GuardrailTripped once all
   * calls have ended.
   */
  async runTurn(
    agent: Agent,
    turn: Turn,
    index: number,
    consult: Consult,
  ): Promise<TurnResult> {
    const { guardrails, guarded, toolset } = this.parts;
    this.throwIfAborted();
    let previous: Promise<unknown> = Promise.resolve();
    const calls = turn.calls.flatMap((call, at) => {
      if (toolset.handsBack(agent, call)) return [];
      // Resolved now: the tools of MCP servers change while the chat runs.
      const tool = toolset.find(agent, call.name);
      const placed = { agent, tool, turn, index, at, consult };
      const run = () => this.runOnce(placed);
      const isOfAgent = calledAgentOf(agent, call.name) !== undefined;
      if (!tool || !(isOfAgent || mayDestroy(tool))) return run();
      const next = previous.then(run);
      previous = next;
      return next;
    });
    for (const call of calls)
      call.catch((error: unknown) => this.failure.abort(error));
    const ended = Promise.allSettled(calls);
    this.running = Promise.all([this.running, ended]);
    await ended;
    this.throwIfAborted();
    const all = await Promise.all(calls);
    const results = all.filter(({ outcome }) => outcome !== 'open');
    this.completed.push(...results);
    if (!guardrails.isEmpty)
      for (const url of consultedUrls(results)) guarded.consulted.add(url);
    if (this.tripped) throw this.tripped;
    const settled = results.length < all.length || isSettled(this.completed);
    const handsBack = all.length < turn.calls.length && !settled;
    const isReply = !handsBack && isDirect(results);
    return {
      outputs: results.map(({ output }) => output),
      done: handsBack || settled || isReply,
      direct: isReply ? results : [],
      handsBack,
      handoff: handoffIn(agent, turn),
    };
  }

  private throwIfAborted(): void {
    this.parts.signal.throwIfAborted();
    this.failure.signal.throwIfAborted();
  }

  /** Returns the stored result of a call that has one: it is not run again. */
  private async runOnce(placed: PlacedCall): Promise<CompletedToolCall> {
    const { agent, tool, turn, index, at } = placed;
    const { callId, name, arguments: json } = turn.calls[at];
    const call = {
      callId,
      toolName: name,
      tool,
      arguments: parseCallArguments(json),
    };
    const stored = turn.results[at];
    if (stored) {
      const result = { ...stored, tool };
      // Counted with the arguments of the model: a guardrail may have changed those of the result.
      if (tool) this.parts.limit.restore({ ...call, tool }, result);
      return result;
    }
    const result =
      this.withoutTool(agent, turn, call) ??
      (await this.observed(placed, call));
    if (this.tripped || result.outcome === 'open') return result;
    const { tool: _, ...serializable } = result;
    turn.results[at] = serializable;
    await this.parts.observer?.result(turn, index, at);
    return result;
  }

  /** The result of a handoff, or of a question that the user answered. */
  private withoutTool(
    agent: Agent,
    turn: Turn,
    call: RequestedCall,
  ): CompletedToolCall | undefined {
    const name = call.toolName;
    if (handoffOf(agent, name)) {
      const value = { assistant: handoffIn(agent, turn) };
      return answeredCall(call, [{ type: 'value', value }]);
    }
    const decision = this.parts.decisions.get(call.callId);
    return this.parts.toolset.isQuestion({ name }) && isAnswer(decision)
      ? answeredCall(call, [{ type: 'text', text: decision.answer }])
      : undefined;
  }

  /** Runs a call and reports its start and its events to the observer. */
  private async observed(
    placed: PlacedCall,
    call: RequestedCall,
  ): Promise<CompletedToolCall> {
    const { agent, turn, index, at } = placed;
    const { observer, toolset } = this.parts;
    const watcher = observer?.watch(turn, index, at);
    let started = false;
    const result = await this.checked(
      placed,
      call,
      toolset.needsApproval(agent, turn.calls[at], turn),
      watcher && {
        ...watcher,
        started: async (begun) => {
          started = true;
          await watcher.started(begun);
        },
      },
    );
    // The result of an aborted wait is not the result of the call.
    this.throwIfAborted();
    // Arguments that a guardrail refused are never reported.
    if (!started && !this.tripped) await watcher?.started(result);
    return result;
  }

  private async checked(
    placed: PlacedCall,
    requested: RequestedCall,
    needsApproval: boolean,
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { toolset, limit, decisions } = this.parts;
    const { tool, callId } = requested;
    this.throwIfAborted();
    if (!tool) return toolset.refused(placed.agent, requested);
    const refusal = needsApproval && refusalOf(decisions.get(callId));
    if (refusal) return refusedCall(requested, 'NOT_APPROVED', refusal);
    const call = { ...requested, tool };
    const earlier = limit.earlier(call);
    if (earlier) return { ...(await earlier), callId };
    const exceeded = limit.reserve(tool.name);
    if (exceeded) return refusedCall(requested, 'LIMIT_REACHED', exceeded);
    const result = this.guarded(placed, call, watcher);
    limit.record(call, result);
    return result;
  }

  /** A guardrail that refuses ends the chat once all calls of the turn have ended. */
  private async guarded(
    placed: PlacedCall,
    call: RequestedCall & { tool: Tool },
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    // A call that waited for another one does not start after a guardrail refused that one.
    if (this.tripped) return unstarted(call);
    const { result, tripped } = await guardedCall(
      this.parts,
      call,
      (resolved) => this.invoke(placed, resolved, watcher),
    );
    this.tripped ??= tripped;
    return result;
  }

  private invoke(
    { agent, consult }: PlacedCall,
    call: ResolvedCall,
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const to = calledAgentOf(agent, call.toolName);
    if (to) return callAgent(to, call, consult, watcher);
    const { waitSignals, ...rest } = this.parts.context;
    const waitSignal = AbortSignal.any([...waitSignals, this.failure.signal]);
    return this.parts.invoker.invoke(call, { ...rest, waitSignal }, watcher);
  }
}
