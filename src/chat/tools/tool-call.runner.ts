import { GuardrailTripped } from '../../guardrails/guardrail.tripped';
import type { GuardrailContext } from '../../guardrails/guardrail';
import type { Guardrails } from '../../guardrails/guardrails';
import type { CalledTurn } from '../../llm/model.types';
import { parseCallArguments } from '../../message/call.arguments';
import type { Tool } from '../../tools/tool';
import { type Agent, handoffOf } from '../loop/agents';
import type { CallLimit } from './call-limit';
import { type Asked, type CompletedToolCall, refused, told } from './tool-call';
import type { ChatObserver } from '../loop/chat.observer';
import { isDirect, isSettled } from '../loop/chat.reply';
import { consultedBy } from './consulted';
import type { Turn } from '../loop/chat.turn';
import { type Decision, isAnswer, mayDestroy, refusalOf } from './approvals';
import type { Toolset } from './toolset';
import { completeArguments } from './tool-call.arguments';
import type {
  CallWatcher,
  ChatContext,
  ToolCallInvoker,
} from './tool-call.invoker';

/** What the calls of a chat are made with. */
export interface ToolCallRunnerParts {
  offer: Toolset;
  budget: CallLimit;
  caller: ToolCallInvoker;
  guardrails: Guardrails;
  /** Any of `until` ends the wait for tools. */
  context: Omit<ChatContext, 'until'> & { until: readonly AbortSignal[] };
  /** What the calls have consulted is added to it. */
  guarded: GuardrailContext & { consulted: Set<string> };
  /** What was said of the calls that waited for it. */
  decisions: ReadonlyMap<string, Decision>;
  notes?: ChatObserver;
  gone: AbortSignal;
}

export interface MadeTurn extends CalledTurn {
  done: boolean;
  /** Whom the conversation was handed over to. */
  handedTo?: string;
}

/** Makes the calls of one chat, turn by turn. */
export class ToolCallRunner {
  /** In the order in which they were asked for, whichever ended first. */
  readonly made: CompletedToolCall[] = [];
  /** The last turn, if its results are the answer. */
  direct: readonly CompletedToolCall[] = [];
  private tripped?: GuardrailTripped;
  /** What one call throws ends the others of its turn: nobody is left who would take what they give. */
  private readonly leaving = new AbortController();
  private making: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ToolCallRunnerParts) {}

  /** When no call is being made any more: of all that were begun the invocations are known. Never rejects. */
  async settled(): Promise<void> {
    await this.making;
  }

  /**
   * All calls of a turn at once, but for those that may destroy something: each of these waits for the one before.
   * @throws the reason of `gone`, or what keeps a call from being made, once none is being made any more; or
   * GuardrailTripped once all of them have come to their end.
   */
  async make(agent: Agent, turn: Turn, index: number): Promise<MadeTurn> {
    const { guardrails, guarded } = this.parts;
    this.throwIfGone();
    let before: Promise<unknown> = Promise.resolve();
    const calls = turn.calls.map((call, at) => {
      // By name, now: tools come and go with the servers that offer them.
      const tool = this.parts.offer.find(agent, call.name);
      const make = () => this.once(agent, tool, turn, index, at);
      if (!tool || !mayDestroy(tool)) return make();
      const mine = before.then(make);
      before = mine;
      return mine;
    });
    for (const call of calls)
      call.catch((error: unknown) => this.leaving.abort(error));
    this.making = Promise.allSettled(calls);
    await this.making;
    this.throwIfGone();
    const made = await Promise.all(calls);
    this.made.push(...made);
    if (!guardrails.isEmpty)
      for (const url of consultedBy(made)) guarded.consulted.add(url);
    if (this.tripped) throw this.tripped;
    if (isDirect(made)) this.direct = made;
    return {
      outputs: made.map(({ output }) => output),
      done: isSettled(this.made) || isDirect(made),
      handedTo: handedTo(agent, turn),
    };
  }

  private throwIfGone(): void {
    this.parts.gone.throwIfAborted();
    this.leaving.signal.throwIfAborted();
  }

  /** What was made before is not made again. */
  private async once(
    agent: Agent,
    tool: Tool | undefined,
    turn: Turn,
    index: number,
    at: number,
  ): Promise<CompletedToolCall> {
    const call = turn.calls[at];
    const asked = {
      callId: call.callId,
      toolName: call.name,
      tool,
      arguments: parseCallArguments(call.arguments),
    };
    const kept = turn.results[at];
    if (kept) {
      const made = { ...kept, tool };
      // By what the model asked for: a guardrail may have changed it since.
      if (tool) this.parts.budget.takeUp({ ...asked, tool }, made);
      return made;
    }
    const made =
      this.withoutTool(agent, turn, asked) ??
      (await this.tell(agent, asked, turn, index, at));
    if (this.tripped) return made;
    const { tool: _, ...keep } = made;
    turn.results[at] = keep;
    await this.parts.notes?.result(turn, index, at);
    return made;
  }

  /** A call that another agent or the user answers. */
  private withoutTool(
    agent: Agent,
    turn: Turn,
    asked: Asked,
  ): CompletedToolCall | undefined {
    const name = asked.toolName;
    if (handoffOf(agent, name)) {
      const value = { assistant: handedTo(agent, turn) };
      return told(asked, [{ type: 'value', value }]);
    }
    const decision = this.parts.decisions.get(asked.callId);
    return this.parts.offer.isQuestion({ name }) && isAnswer(decision)
      ? told(asked, [{ type: 'text', text: decision.answer }])
      : undefined;
  }

  /** Makes a call and tells of it: that it was made, and what its invocation does. */
  private async tell(
    agent: Agent,
    asked: Asked,
    turn: Turn,
    index: number,
    at: number,
  ): Promise<CompletedToolCall> {
    const { notes, offer } = this.parts;
    const watcher = notes?.watch(turn, index, at);
    let begun = false;
    const made = await this.call(
      agent,
      asked,
      offer.mustBeApproved(agent, turn.calls[at], turn),
      watcher && {
        ...watcher,
        began: async (call) => {
          begun = true;
          await watcher.began(call);
        },
      },
    );
    // What was not waited for to its end has not come to it.
    this.throwIfGone();
    // Nor is what a guardrail refused to let it be called with told to anybody.
    if (!begun && !this.tripped) await watcher?.began(made);
    return made;
  }

  private async call(
    agent: Agent,
    asked: Asked,
    guarded: boolean,
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { offer, budget, decisions } = this.parts;
    const { tool, callId } = asked;
    this.throwIfGone();
    if (!tool) return refused(asked, 'UNKNOWN_TOOL', offer.unknown(agent));
    const refusal = guarded && refusalOf(decisions.get(callId));
    if (refusal) return refused(asked, 'NOT_APPROVED', refusal);
    const call = { ...asked, tool };
    const first = budget.first(call);
    if (first) return { ...(await first), callId };
    const limit = budget.spend(tool.name);
    if (limit) return refused(asked, 'LIMIT_REACHED', limit);
    const made = this.guard(call, watcher);
    budget.note(call, made);
    return made;
  }

  /** A guardrail that refuses ends the chat, when all calls of the turn have come to their end. */
  private async guard(
    call: Asked & { tool: Tool },
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { guardrails, caller, guarded } = this.parts;
    const ends = [...this.parts.context.until, this.leaving.signal];
    const context = { ...this.parts.context, until: AbortSignal.any(ends) };
    const { tool, arguments: chosen } = call;
    let made: CompletedToolCall = {
      ...call,
      arguments: null,
      outcome: 'refused',
      output: [],
      invocation: null,
    };
    // What has to wait for another is not begun after that was refused.
    if (this.tripped) return made;
    try {
      const given = chosen && completeArguments(tool, chosen, context.request);
      const args = { arguments: chosen, given };
      const passed = await guardrails.toolInput(tool.name, args, guarded);
      made = await caller.call({ ...call, ...passed }, context, watcher);
      const { output, report } = made;
      const told = { output, report };
      const seen = await guardrails.toolOutput(tool.name, told, guarded);
      // Its places are those of the text that was given up.
      const placeless = seen.report !== report && { citations: undefined };
      return { ...made, ...seen, ...placeless };
    } catch (error) {
      if (!(error instanceof GuardrailTripped)) throw error;
      this.tripped ??= error;
      return { ...made, output: [], report: undefined };
    }
  }
}

/** Of several at once the first is meant. */
export function handedTo(
  agent: Agent,
  { calls }: Pick<Turn, 'calls'>,
): string | undefined {
  return calls
    .map(({ name }) => handoffOf(agent, name))
    .find((name) => name !== undefined);
}
