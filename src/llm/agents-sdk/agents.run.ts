import { AppError } from '../../errors';
import { callableName, newCallId } from '../../message/call.arguments';
import type { Part } from '../../message/message';
import { readableArguments } from '../completions/completions.reply';
import { Conversation, type SaidTurn } from '../turns/turn-loop';
import type {
  CalledTurn,
  FunctionCall,
  ModelAnswer,
  ModelRequest,
} from '../model.types';
import type { DeltaEmitter } from '../turns/delta.emitter';
import type { ToolChoice } from '../turns/tool.choice';

/** A turn that can be handed to the SDK. */
export interface AgentsTurn extends SaidTurn {
  /** The reply as the SDK can read it. It holds these calls; without any it is the answer. */
  reply(calls: readonly FunctionCall[]): object;
}

/** The SDK itself failed, not the endpoint: it could not be loaded, or what it threw came from nobody else. */
export class AgentsFailure extends AppError {
  constructor(cause: unknown) {
    super('internal_error', undefined, { cause });
  }
}

/**
 * The side of a run of the SDK that is ours: it decides when a turn is taken and a tool called, but the turn is asked for,
 * told and counted here, and the calls of a turn are made together, once, as the model wrote them.
 */
export class AgentsRun {
  /** No further turn is wanted. */
  done = false;
  /** What ended it, where that was not the SDK: the SDK wraps or swallows what is thrown through it. */
  private fault?: { error: unknown };
  private readonly conversation: Conversation;
  private readonly leaving = new AbortController();
  private readonly ids = new Set<string>();
  private turn?: readonly FunctionCall[];
  private made?: Promise<CalledTurn>;

  constructor(
    private readonly request: ModelRequest,
    readonly telling: DeltaEmitter,
    maxTurns: number,
  ) {
    this.conversation = new Conversation(request, telling, maxTurns);
    request.signal.addEventListener('abort', this.leave);
  }

  /** Also aborts when the SDK breaks: a turn that it has given up on tells nothing any more. */
  get signal(): AbortSignal {
    return this.leaving.signal;
  }

  async take(
    ask: (choice: ToolChoice) => Promise<AgentsTurn>,
  ): Promise<object> {
    // It goes on where a call of an unknown tool ended the run.
    if (this.done || this.fault) throw new Error('No further turn is wanted.');
    return this.ours(async () => {
      const { conversation } = this;
      const turn = await conversation.take(async (_, choice) => {
        const taken = await ask(choice);
        return { ...taken, calls: () => this.withIds(taken.calls()) };
      });
      return turn.reply(conversation.calls);
    });
  }

  /** What a call gave; the first one that is asked for makes all of its turn. */
  async output(callId: string): Promise<readonly Part[]> {
    const { calls } = this.conversation;
    if (this.turn !== calls) {
      this.turn = calls;
      this.made = this.ours(() => this.conversation.call());
    }
    const { outputs, done = false } = await this.made!;
    this.done = done;
    return outputs[calls.findIndex((call) => call.callId === callId)] ?? [];
  }

  /**
   * The answer, once the SDK has come to its end.
   * @param broken set if that was an error.
   * @throws the signal's reason, or what `callTools` threw.
   */
  end(broken?: { error: unknown }): ModelAnswer {
    this.request.signal.removeEventListener('abort', this.leave);
    if (broken) this.leave();
    const { answer } = this.conversation;
    const { error } = this.fault ?? broken ?? {};
    if (this.fault) return this.conversation.failed(error);
    if (this.done) return answer;
    if (!broken && answer.text !== null) return answer;
    return this.conversation.failed(new AgentsFailure(error));
  }

  private readonly leave = (): void =>
    this.leaving.abort(this.request.signal.reason);

  private async ours<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.fault ??= { error };
      throw error;
    }
  }

  /** Some servers count their ids anew in every turn, and the SDK passes over a call whose id it has seen. */
  private withIds(calls: readonly FunctionCall[]): FunctionCall[] {
    return calls.map((call) => {
      const isNew = call.callId !== '' && !this.ids.has(call.callId);
      const callId = isNew ? call.callId : newCallId();
      this.ids.add(callId);
      return { ...call, callId };
    });
  }
}

/** As the SDK can carry it on: it gives up on a whole run for arguments that are no JSON, or a name that no tool can have. */
export function carried({ callId, name, arguments: args }: FunctionCall) {
  return {
    callId,
    name: callableName(name),
    arguments: readableArguments({ arguments: args }),
  };
}
