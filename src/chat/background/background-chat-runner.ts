import { Injectable } from '@nestjs/common';
import { AppError, isErrorCode } from '../../platform/errors';
import { Guardrails } from '../../tools/guardrails/guardrails';
import { Suspension } from '../../runs/record/suspension';
import type { ActiveRun, StopReason } from '../../runs/worker/active-run';
import { type Claim, type Finish, RunStore } from '../../runs/store/run.store';
import {
  ended,
  type Outcome,
  Rescheduled,
} from '../../runs/worker/run-outcome';
import { RunLost, RunWriter } from '../../runs/worker/run-writer';
import { RunsService } from '../../runs/runs.service';
import { ChatRunWriter } from './chat-run-writer';
import { ChatRunner } from '../loop/chat-runner';
import type { ChatReply } from '../dto/chat-response.dto';
import type { Turn } from '../turns/chat-turn';
import { pendingCallIds } from '../tools/approvals';
import type { ChatField } from './chat-fields';
import {
  invocationIdOf,
  readChat,
  readOrigin,
  readReply,
  writeReply,
} from './chat-record-codec';

/** Carries a chat that is on record, from whatever point it has reached to its end. No tool that was run is run again. */
@Injectable()
export class BackgroundChatRunner {
  constructor(
    private readonly runner: ChatRunner,
    private readonly store: RunStore,
    private readonly runs: RunsService,
    private readonly guardrails: Guardrails,
  ) {}

  async run(claim: Claim<ChatField>, run: ActiveRun): Promise<Outcome> {
    const { fields } = claim;
    const stored = readReply(fields);
    // Its worker died between the reply and the end.
    if (stored && stored.status !== 'requires_action') return finishOf(stored);
    const { signal } = run;
    const writer = new RunWriter(this.store, claim, signal);
    const { guardsOutput } = this.guardrails;
    const chatWriter = new ChatRunWriter(writer, claim, !guardsOutput);
    const chat = readChat(fields);
    try {
      signal.throwIfAborted();
      const { reply, requiredAction } = await this.runner.run({
        ...chat,
        origin: readOrigin(fields),
        observer: chatWriter,
        durable: { openedBy: fields.tokens.split(',') },
        signal,
        waitSignals: [signal],
      });
      if (requiredAction)
        return new Suspension(
          pendingCallIds(requiredAction),
          requiredAction,
          writeReply(reply),
        );
      await chatWriter.reply(reply, chat.turns);
      return finishOf(reply);
    } catch (error) {
      if (error instanceof RunLost) return 'lost';
      if (signal.aborted) return this.stopped(claim, run, chat.turns);
      if (!(error instanceof AppError)) throw error;
      return ended('failed', error.code, {}, error.message);
    }
  }

  private async stopped(
    claim: Claim,
    { signal }: ActiveRun,
    turns: readonly Turn[],
  ): Promise<Outcome> {
    const reason = signal.reason as StopReason;
    switch (reason) {
      case 'lost':
        return 'lost';
      case 'shutdown':
        return new Rescheduled(0);
      case 'cancel':
      case 'deadline':
        await this.stopTools(claim, turns);
        return reason === 'cancel'
          ? ended('cancelled', 'cancelled')
          : ended('failed', 'chat_timeout');
    }
  }

  /** A run without a reader is not continued. */
  private async stopTools(claim: Claim, turns: readonly Turn[]): Promise<void> {
    for (const [index, turn] of turns.entries())
      for (const at of turn.calls.keys()) {
        if (turn.results[at]) continue;
        await this.runs.stop(invocationIdOf(claim.id, turn, index, at));
      }
  }
}

/** How the record of a chat with this reply ends. */
function finishOf({ status, error, usage, cost }: ChatReply): Finish {
  // A code that only another version knows is in the stored reply.
  const { code, message } =
    error && isErrorCode(error.code)
      ? { code: error.code, message: error.message }
      : new AppError('empty_output');
  const used = { tokens: usage?.total_tokens, usd: cost?.spent };
  return status === 'failed'
    ? { ...ended('failed', code, {}, message), ...used }
    : { status: 'completed', ...used };
}
