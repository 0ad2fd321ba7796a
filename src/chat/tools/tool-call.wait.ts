import { timeLimit } from '../../runs/time-limit';
import type { RunsService } from '../../runs/runs.service';

/** How long the client of a chat is held by its tools, all of them together. The turns of the model have a clock of their own. */
export class ToolCallWait {
  private endsAt?: number;

  /** @param isAsked the client itself asks for no more, so that the end of no run extends it. */
  constructor(
    private readonly ms: number,
    private readonly isAsked: boolean,
  ) {}

  /** The time limit of one wait. Time begins to run with the first. */
  limit(
    invocations: Pick<RunsService, 'hold'>,
    id: string,
    until: AbortSignal,
  ): ReturnType<typeof timeLimit> {
    const now = performance.now();
    this.endsAt ??= now + this.ms;
    const leftMs = Math.max(0, this.endsAt - now);
    return this.isAsked
      ? timeLimit(leftMs, until)
      : invocations.hold(id, leftMs, until);
  }
}
