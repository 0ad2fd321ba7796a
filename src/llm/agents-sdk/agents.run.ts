import { AppError } from '../../errors';
import { callableName, newCallId } from '../../message/call.arguments';
import type { Part } from '../../message/message';
import { readableArguments } from '../completions/completions.reply';
import { Conversation, type TurnOutput } from '../turns/turn-loop';
import type {
  ToolOutputs,
  FunctionCall,
  ModelAnswer,
  ModelRequest,
} from '../model.types';
import type { DeltaEmitter } from '../turns/delta.emitter';
import type { ToolChoice } from '../turns/tool.choice';

/** A turn in a form that the SDK can read. */
export interface AgentsTurn extends TurnOutput {
  /** The reply as the SDK reads it, with these calls; without any it is the answer. */
  reply(calls: readonly FunctionCall[]): object;
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
  private turn?: readonly FunctionCall[];
  private results?: Promise<ToolOutputs>;

  constructor(
    private readonly request: ModelRequest,
    readonly emitter: DeltaEmitter,
    maxTurns: number,
  ) {
    this.conversation = new Conversation(request, emitter, maxTurns);
    request.signal.addEventListener('abort', this.abort);
  }

  /** Also aborts when the SDK fails: a turn that it abandoned emits nothing more. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async take(
    takeTurn: (choice: ToolChoice) => Promise<AgentsTurn>,
  ): Promise<object> {
    // The SDK continues after a call of an unknown tool ended the run.
    if (this.done || this.fault) throw new Error('The conversation has ended.');
    return this.recordFault(async () => {
      const { conversation } = this;
      const turn = await conversation.take(async (_, choice) => {
        const turn = await takeTurn(choice);
        return { ...turn, calls: () => this.withIds(turn.calls()) };
      });
      return turn.reply(conversation.calls);
    });
  }

  /** The result of a call. The first result requested runs all calls of the turn. */
  async output(callId: string): Promise<readonly Part[]> {
    const { calls } = this.conversation;
    if (this.turn !== calls) {
      this.turn = calls;
      this.results = this.recordFault(() => this.conversation.call());
    }
    const { outputs, done = false } = await this.results!;
    this.done = done;
    return outputs[calls.findIndex((call) => call.callId === callId)] ?? [];
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
    return calls.map((call) => {
      const isNew = call.callId !== '' && !this.ids.has(call.callId);
      const callId = isNew ? call.callId : newCallId();
      this.ids.add(callId);
      return { ...call, callId };
    });
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
