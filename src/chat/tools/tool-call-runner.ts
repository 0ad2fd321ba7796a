import { GuardrailTripped } from '../../tools/guardrails/tripwire';
import type { GuardrailContext } from '../../tools/guardrails/guardrail';
import type { Guardrails } from '../../tools/guardrails/guardrails';
import { parseCallArguments } from '../../platform/message/call-arguments';
import type { Tool } from '../../tools/tool';
import { type Agent, handoffIn, handoffOf } from '../turns/chat-agents';
import type { CallWatcher, ChatObserver } from '../turns/chat-observer';
import type { Turn, TurnResult } from '../turns/chat-turn';
import {
  answeredCall,
  type CompletedToolCall,
  refusedCall,
  type RequestedCall,
  type ToolCallResults,
} from '../turns/tool-call';
import {
  consultedUrls,
  isDirect,
  isSettled,
} from '../turns/tool-call-outcomes';
import { type Decision, isAnswer, mayDestroy, refusalOf } from './approvals';
import type { CallLimit } from './call-limit';
import { completeArguments } from './tool-call-arguments';
import type { ChatContext, ToolCallInvoker } from './tool-call-invoker';
import type { Toolset } from './toolset';

export interface ToolCallRunnerParts {
  toolset: Toolset;
  limit: CallLimit;
  invoker: ToolCallInvoker;
  guardrails: Guardrails;
  context: Omit<ChatContext, 'waitSignal'> & {
    /** Each of them ends the wait for tools. */
    waitSignals: readonly AbortSignal[];
  };
  /** The runner adds the URLs that calls have consulted. */
  guarded: GuardrailContext & { consulted: Set<string> };
  /** The decisions of the user, by call id. */
  decisions: ReadonlyMap<string, Decision>;
  observer?: ChatObserver;
  signal: AbortSignal;
}

/** Runs the calls of one chat, turn by turn. */
export class ToolCallRunner implements ToolCallResults {
  readonly completed: CompletedToolCall[] = [];
  direct: readonly CompletedToolCall[] = [];
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
   * Runs the calls of a turn, but none of the caller's functions: all at once; those that may destroy something in turn.
   * @throws the reason of the signal, or the error that prevents a call, once no call is running; GuardrailTripped once all
   * calls have ended.
   */
  async runTurn(agent: Agent, turn: Turn, index: number): Promise<TurnResult> {
    const { guardrails, guarded, toolset } = this.parts;
    this.throwIfAborted();
    let previous: Promise<unknown> = Promise.resolve();
    const calls = turn.calls.flatMap((call, at) => {
      if (toolset.handsBack(call)) return [];
      // Resolved now: the tools of MCP servers change while the chat runs.
      const tool = toolset.find(agent, call.name);
      const run = () => this.runOnce(agent, tool, turn, index, at);
      if (!tool || !mayDestroy(tool)) return run();
      const next = previous.then(run);
      previous = next;
      return next;
    });
    for (const call of calls)
      call.catch((error: unknown) => this.failure.abort(error));
    this.running = Promise.allSettled(calls);
    await this.running;
    this.throwIfAborted();
    const results = await Promise.all(calls);
    this.completed.push(...results);
    if (!guardrails.isEmpty)
      for (const url of consultedUrls(results)) guarded.consulted.add(url);
    if (this.tripped) throw this.tripped;
    const handsBack =
      results.length < turn.calls.length && !isSettled(this.completed);
    const direct = !handsBack && isDirect(results);
    if (direct) this.direct = results;
    return {
      outputs: results.map(({ output }) => output),
      done: handsBack || isSettled(this.completed) || direct,
      handsBack,
      handoff: handoffIn(agent, turn),
    };
  }

  private throwIfAborted(): void {
    this.parts.signal.throwIfAborted();
    this.failure.signal.throwIfAborted();
  }

  /** Returns the stored result of a call that has one: it is not run again. */
  private async runOnce(
    agent: Agent,
    tool: Tool | undefined,
    turn: Turn,
    index: number,
    at: number,
  ): Promise<CompletedToolCall> {
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
      (await this.observed(agent, call, turn, index, at));
    if (this.tripped) return result;
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
    agent: Agent,
    call: RequestedCall,
    turn: Turn,
    index: number,
    at: number,
  ): Promise<CompletedToolCall> {
    const { observer, toolset } = this.parts;
    const watcher = observer?.watch(turn, index, at);
    let started = false;
    const result = await this.checked(
      agent,
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
    agent: Agent,
    requested: RequestedCall,
    needsApproval: boolean,
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { toolset, limit, decisions } = this.parts;
    const { tool, callId } = requested;
    this.throwIfAborted();
    if (!tool) return toolset.refused(agent, requested);
    const refusal = needsApproval && refusalOf(decisions.get(callId));
    if (refusal) return refusedCall(requested, 'NOT_APPROVED', refusal);
    const call = { ...requested, tool };
    const earlier = limit.earlier(call);
    if (earlier) return { ...(await earlier), callId };
    const exceeded = limit.reserve(tool.name);
    if (exceeded) return refusedCall(requested, 'LIMIT_REACHED', exceeded);
    const result = this.guarded(call, watcher);
    limit.record(call, result);
    return result;
  }

  /** A guardrail that refuses ends the chat once all calls of the turn have ended. */
  private async guarded(
    call: RequestedCall & { tool: Tool },
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { guardrails, invoker, guarded } = this.parts;
    const { waitSignals, ...rest } = this.parts.context;
    const waitSignal = AbortSignal.any([...waitSignals, this.failure.signal]);
    const context = { ...rest, waitSignal };
    const { tool, arguments: args } = call;
    let result: CompletedToolCall = {
      ...call,
      arguments: null,
      outcome: 'refused',
      output: [],
      invocation: null,
    };
    // A call that waited for another one does not start after a guardrail refused that one.
    if (this.tripped) return result;
    try {
      const completed = args && completeArguments(tool, args, context.request);
      const values = { arguments: args, completed };
      const passed = await guardrails.toolInput(tool.name, values, guarded);
      result = await invoker.invoke({ ...call, ...passed }, context, watcher);
      const { output, report, error } = result;
      const texts = { output, report, cause: error?.message };
      const { cause, ...seen } = await guardrails.toolOutput(
        tool.name,
        texts,
        guarded,
      );
      const checked = error && { error: { ...error, message: cause! } };
      // Citations are positions in the text that the guardrail replaced.
      const replaced = seen.report !== report && { citations: undefined };
      return { ...result, ...seen, ...checked, ...replaced };
    } catch (error) {
      if (!(error instanceof GuardrailTripped)) throw error;
      this.tripped ??= error;
      return { ...result, output: [], report: undefined, error: undefined };
    }
  }
}
