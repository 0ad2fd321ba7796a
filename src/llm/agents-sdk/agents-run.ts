import type { AgentOutputItem } from '@openai/agents';
import { AppError } from '../../platform/errors';
import {
  callableName,
  withUniqueIds,
} from '../../platform/message/call-arguments';
import { readableArguments } from '../completions/completions-reply';
import { Conversation, type TurnOutput } from '../turns/turn-loop';
import type {
  ToolOutputs,
  FunctionCall,
  ModelAnswer,
  ModelRequest,
} from '../turns/model.types';
import type { DeltaEmitter } from '../turns/delta-emitter';
import type { ToolChoice } from '../turns/tool-choice';

/** The conversation of one run, over one of the protocols. */
export interface AgentsProtocol {
  /** Requests the next turn. */
  turn(choice: ToolChoice, signal: AbortSignal): Promise<AgentsTurn>;
}

export interface AgentsTurn extends TurnOutput {
  /** Output of a kind that this service does not know: the SDK decides what becomes of the run. */
  readonly unreadable: AgentOutputItem[];
  /** Adds the turn with the results of its calls to the conversation. */
  add(calls: readonly FunctionCall[], outputs: ToolOutputs['outputs']): void;
}

/** What the SDK reads of a turn. Without calls, the text is the answer. */
export interface TakenTurn {
  calls: readonly FunctionCall[];
  text: string;
  unreadable: readonly AgentOutputItem[];
}

/** The SDK itself failed, not the endpoint: it could not be loaded, or it threw an error of its own. */
export class AgentsFailure extends AppError {
  constructor(cause: unknown) {
    super('internal_error', undefined, { cause });
  }
}

/**
 * Our side of a run of the SDK. The SDK decides when a turn is taken and a tool called; the turn is requested, streamed and
 * counted here, and the calls of a turn run together, once, as the model wrote them.
 */
export class AgentsRun {
  /** The conversation was ended: no further turn is taken. */
  done = false;
  /** The error that ended the run, if it was not the SDK's: the SDK wraps or swallows errors thrown through it. */
  private fault?: { error: unknown };
  private readonly conversation: Conversation;
  private readonly controller = new AbortController();
  private readonly ids = new Set<string>();
  private last?: AgentsTurn;
  private results?: Promise<ToolOutputs>;

  constructor(
    private readonly request: ModelRequest,
    emitter: DeltaEmitter,
    maxTurns: number,
  ) {
    this.conversation = new Conversation(request, emitter, maxTurns);
    request.signal.addEventListener('abort', this.abort);
  }

  /** Takes the next turn of the model, with the results of the last one. */
  async take(protocol: AgentsProtocol): Promise<TakenTurn> {
    const { conversation, last } = this;
    const results = last && (await this.callTools());
    // The SDK continues after a call of an unknown tool ended the run.
    if (this.done || this.fault) throw new Error('The conversation has ended.');
    return this.recordFault(async () => {
      if (results) last.add(conversation.calls, results.outputs);
      this.results = undefined;
      const { unreadable } = await conversation.take(async (_, choice) => {
        // The signal also aborts when the SDK fails: a turn that it abandoned emits nothing more.
        const turn = await protocol.turn(choice, this.controller.signal);
        this.last = turn;
        return { ...turn, calls: () => this.withIds(turn.calls()) };
      });
      const { calls, answer } = conversation;
      return { calls, text: answer.text ?? '', unreadable };
    });
  }

  /** Runs the calls of the last turn, all of them at the first request for one. */
  callTools(): Promise<ToolOutputs> {
    this.results ??= this.recordFault(async () => {
      const results = await this.conversation.call();
      this.done = results.done ?? false;
      return results;
    });
    return this.results;
  }

  /**
   * The answer, once the SDK has ended.
   * @param broken set if it ended with an error.
   * @throws the signal's reason, or what `callTools` threw.
   */
  end(broken?: { error: unknown }): ModelAnswer {
    this.request.signal.removeEventListener('abort', this.abort);
    if (broken) this.abort();
    const { answer } = this.conversation;
    const { error } = this.fault ?? broken ?? {};
    if (this.fault) return this.conversation.failed(error);
    if (this.done) return answer;
    if (!broken && answer.text !== null) return answer;
    return this.conversation.failed(new AgentsFailure(error));
  }

  private readonly abort = (): void =>
    this.controller.abort(this.request.signal.reason);

  private async recordFault<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.fault ??= { error };
      throw error;
    }
  }

  /** Some servers restart their ids in every turn, and the SDK skips a call whose id it has seen. */
  private withIds(calls: readonly FunctionCall[]): FunctionCall[] {
    return withUniqueIds(calls, this.ids);
  }
}

/**
 * A call in a form that the SDK accepts: it fails a whole run for arguments that are not JSON, or for an invalid tool name.
 */
export function carried({ callId, name, arguments: args }: FunctionCall) {
  return {
    callId,
    name: callableName(name),
    arguments: readableArguments({ arguments: args }),
  };
}
