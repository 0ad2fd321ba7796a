import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { mintInvocationToken, tokenMatches } from '../auth/invocation-token';
import { AppConfig } from '../config/config';
import { AppError, type FieldError } from '../errors';
import { parseArguments } from '../tools/parse-arguments';
import type { Tool } from '../tools/tool';
import { ToolRegistry } from '../tools/tool.registry';
import { decisionRefused } from './awaiting';
import { CallerIndex } from './caller.index';
import { Carriers } from './carriers';
import { EventFeed } from './event.feed';
import { IdempotencyStore } from './idempotency.store';
import { isUnderWay, type LogEvent } from './invocation';
import { freshId, type IdPrefix, notFound } from './invocation.id';
import type { InvocationRecord } from './invocation.record';
import {
  type Acceptance,
  type Accepted,
  InvocationIntake,
} from './invocation.intake';
import { InvocationReader } from './invocation.reader';
import { InvocationRemoval } from './invocation.removal';
import { InvocationStore } from './invocation.store';
import { timeLimit } from './time-limit';

/** How work is asked for that may be asked for twice. */
interface Keyed extends Omit<Acceptance, 'derived'> {
  /** The same again finds the same. */
  id?: string;
  idempotency?: { key: string; body: unknown };
}

export interface Submission extends Omit<Keyed, 'dueMs'> {
  tool: string;
  arguments: Record<string, unknown>;
  /** Found in the request already; named together with those of the arguments. */
  faults?: FieldError[];
}

/** The one way to invoke a tool, for the API and for chat alike. */
@Injectable()
export class ToolInvocationsService {
  constructor(
    private readonly config: AppConfig,
    private readonly intake: InvocationIntake,
    private readonly registry: ToolRegistry,
    private readonly store: InvocationStore,
    private readonly reader: InvocationReader,
    private readonly carriers: Carriers,
    private readonly callers: CallerIndex,
    private readonly idempotency: IdempotencyStore,
    private readonly feed: EventFeed,
    private readonly removal: InvocationRemoval,
  ) {}

  /** By the clock of Redis. */
  now(): number {
    return this.callers.now();
  }

  /** Accepts work. When this returns, the work will reach a final status, whatever happens to this process. */
  async submit(submission: Submission): Promise<Accepted> {
    const tool = this.registry.get(submission.tool);
    const args = parseArguments(tool, submission.arguments, submission.faults);
    return this.accept(tool, args, 'inv_', submission);
  }

  /** The same with arguments that were checked, of a tool that need not be one for callers. */
  async accept(
    tool: Pick<Tool, 'name'>,
    args: Record<string, unknown>,
    prefix: IdPrefix,
    { id: known, idempotency, ...more }: Keyed,
  ): Promise<Accepted> {
    const id = known ?? freshId(prefix, this.now());
    const acceptance = { ...more, derived: known !== undefined };
    if (!idempotency) return this.intake.accept(id, tool, args, acceptance);
    const claim = await this.idempotency.claim(
      acceptance.caller.name,
      idempotency.key,
      idempotency.body,
      id,
    );
    const { accepted, invocationId } = claim;
    return accepted
      ? this.replay(invocationId)
      : this.intake.accept(invocationId, tool, args, acceptance, claim);
  }

  /**
   * Accepts work that begins at `dueMs`, on behalf of another invocation: whoever may open that may open it too. Safe to
   * repeat with the same id.
   * @param isPart nobody is shown or told of it by itself, and there is always room for it: the other waits for it.
   */
  async schedule(
    id: string,
    toolName: string,
    args: Record<string, unknown>,
    dueMs: number,
    askedBy: string,
    isPart = false,
  ): Promise<void> {
    const tool = this.registry.find(toolName)!;
    const { caller, tokenHashes, priority, webhook, requestId } =
      await this.read(askedBy);
    await this.intake.accept(id, tool, args, {
      mode: 'background',
      caller: { name: caller },
      openedBy: tokenHashes,
      priority,
      webhook,
      requestId,
      dueMs,
      listed: !isPart,
      needed: isPart,
      derived: true,
    });
  }

  /** @throws AppError `invocation_not_found` or `chat_not_found`, `invalid_invocation_token`. */
  async open(
    id: string,
    caller: CallerIdentity,
    token: string | undefined,
    prefix: IdPrefix = 'inv_',
  ): Promise<InvocationRecord> {
    if (!id.startsWith(prefix)) throw notFound(prefix);
    const record = await this.read(id);
    const owns = record.caller !== undefined && record.caller === caller.name;
    if (owns || tokenMatches(token, record.tokenHashes)) return record;
    // A caller with a key of its own is not told that the record of another exists.
    throw caller.name === undefined
      ? new AppError('invalid_invocation_token')
      : notFound(id);
  }

  /** @throws AppError `invocation_not_found` or `chat_not_found`. */
  async read(id: string): Promise<InvocationRecord> {
    const record = await this.reader.read(id);
    if (!record) throw notFound(id);
    return record;
  }

  /** As `settled`, or as it is after `timeoutMs`, at most the research time limit. */
  async wait(
    id: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<InvocationRecord> {
    const limit = timeLimit(
      Math.min(timeoutMs, this.config.research.timeoutMs),
      signal,
    );
    try {
      return await this.settled(id, limit.signal);
    } finally {
      limit.clear();
    }
  }

  /** The record once it is final or requires action, or as it is when `signal` ends the wait. */
  async settled(id: string, signal: AbortSignal): Promise<InvocationRecord> {
    for (;;) {
      await this.feed.ended(id, signal);
      const record = await this.read(id);
      // What it waited for may have been decided before it was read.
      if (!isUnderWay(record.status) || signal.aborted) return record;
    }
  }

  follow(
    id: string,
    afterSeq: number,
    signal: AbortSignal,
  ): AsyncGenerator<LogEvent> {
    return this.feed.follow(id, afterSeq, signal);
  }

  readText(id: string): Promise<string> {
    return this.reader.readText(id);
  }

  /**
   * Notes decisions of a human by their keys, all or none, and answers how many are awaited still. After the last one any
   * worker goes on with the run.
   * @throws AppError `not_waiting`, `decision_conflict`, or `validation_failed` that names an unknown key after `path`.
   */
  async decide(
    { id, tool, priority }: InvocationRecord,
    decisions: Record<string, string>,
    path = 'decisions',
  ): Promise<number> {
    const outcome = await this.store.decide(id, decisions);
    if (outcome.kind !== 'ok') throw decisionRefused(outcome, id, path);
    if (outcome.left === 0) await this.carriers.of(tool).revive(id, priority);
    return outcome.left;
  }

  /** Asks for the end. A run that a worker holds ends a moment later, upstream included. */
  async cancel(record: InvocationRecord): Promise<InvocationRecord> {
    await this.removal.cancel(record);
    return this.read(record.id);
  }

  /** The same for one that may have ended or be gone. */
  async stop(id: string): Promise<void> {
    const record = await this.reader.read(id);
    if (record) await this.removal.cancel(record);
  }

  /** With everything that is kept on its account. */
  remove(record: InvocationRecord): Promise<void> {
    return this.removal.remove(record);
  }

  /** What opens `record` opens these too. */
  async share(
    ids: readonly string[],
    { tokenHashes }: InvocationRecord,
  ): Promise<void> {
    await Promise.all(
      ids.flatMap((id) =>
        tokenHashes.map((hash) => this.store.addToken(id, hash)),
      ),
    );
  }

  private async replay(id: string): Promise<Accepted> {
    const record = await this.read(id);
    const { token, hash } = mintInvocationToken();
    await this.store.addToken(id, hash);
    return { record, token, replayed: true };
  }
}
