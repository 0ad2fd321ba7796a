import { Injectable, Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { CallerIdentity } from '../auth/caller';
import { mintInvocationToken, tokenMatches } from '../auth/invocation-token';
import { AppConfig } from '../config/config';
import { AppError, type FieldError } from '../errors';
import { parseArguments } from '../tools/parse-arguments';
import type { Priority, Tool } from '../tools/tool';
import { ToolRegistry } from '../tools/tool.registry';
import { CallerIndex } from './caller.index';
import { EventFeed } from './event.feed';
import { type IdempotencyClaim, IdempotencyStore } from './idempotency.store';
import { isFinal, type LogEvent, type Mode } from './invocation';
import { InvocationBell } from './invocation.bell';
import { InvocationEndings } from './invocation.endings';
import type { InvocationRecord } from './invocation.record';
import { InvocationReader } from './invocation.reader';
import { InvocationStore } from './invocation.store';
import { timeLimit } from './time-limit';
import { UnfinishedIndex } from './unfinished.index';

export interface Submission {
  tool: string;
  arguments: Record<string, unknown>;
  /** Found in the request already; named together with those of the arguments. */
  faults?: FieldError[];
  mode: Mode;
  priority?: Priority;
  /** Where the end is announced, if not to where the API key's always are. */
  webhook?: string;
  caller: CallerIdentity;
  idempotency?: { key: string; body: unknown };
}

export interface Accepted {
  record: InvocationRecord;
  /** Opens the record; said only here. */
  token: string;
  replayed: boolean;
}

/** The one way to invoke a tool, for the API and for chat alike. */
@Injectable()
export class ToolInvocationsService {
  private readonly log = new Logger('ToolInvocations');

  constructor(
    private readonly config: AppConfig,
    private readonly registry: ToolRegistry,
    private readonly store: InvocationStore,
    private readonly reader: InvocationReader,
    private readonly unfinished: UnfinishedIndex,
    private readonly endings: InvocationEndings,
    private readonly callers: CallerIndex,
    private readonly idempotency: IdempotencyStore,
    private readonly feed: EventFeed,
    private readonly bell: InvocationBell,
  ) {}

  /** Accepts work. When this returns, the work will reach a final status, whatever happens to this process. */
  async submit(submission: Submission): Promise<Accepted> {
    const tool = this.registry.get(submission.tool);
    const args = parseArguments(tool, submission.arguments, submission.faults);
    const { key, body } = submission.idempotency ?? {};
    // Ids sort by time, which is what listings are ordered by.
    const freshId = `inv_${uuidv7().replaceAll('-', '')}`;
    if (key === undefined) return this.accept(freshId, tool, args, submission);

    const claim = await this.idempotency.claim(
      submission.caller.name,
      key,
      body,
      freshId,
    );
    if (claim.accepted) return this.replay(claim.invocationId);
    return this.accept(claim.invocationId, tool, args, submission, claim);
  }

  /** @throws AppError `invocation_not_found`, `invalid_invocation_token`. */
  async open(
    id: string,
    caller: CallerIdentity,
    token: string | undefined,
  ): Promise<InvocationRecord> {
    const record = await this.read(id);
    const owns = record.caller !== undefined && record.caller === caller.name;
    if (!owns && !tokenMatches(token, record.tokenHashes)) {
      throw new AppError('invalid_invocation_token');
    }
    return record;
  }

  /** @throws AppError `invocation_not_found`. */
  async read(id: string): Promise<InvocationRecord> {
    const record = await this.reader.read(id);
    if (!record) throw new AppError('invocation_not_found');
    return record;
  }

  /** The record once it is final, or as it is when `timeoutMs` (at most the research time limit) or `signal` ends the wait. */
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
      await this.feed.ended(id, limit.signal);
    } finally {
      limit.clear();
    }
    return this.read(id);
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

  /** Asks for the end. A run that a worker holds ends a moment later, upstream included. */
  async cancel(record: InvocationRecord): Promise<InvocationRecord> {
    await this.end(record, { remove: false });
    return this.read(record.id);
  }

  async remove(record: InvocationRecord): Promise<void> {
    await this.end(record, { remove: true });
    if (record.caller) await this.callers.remove(record.caller, record.id);
  }

  private async accept(
    id: string,
    tool: Tool,
    args: Record<string, unknown>,
    submission: Submission,
    claim?: IdempotencyClaim,
  ): Promise<Accepted> {
    const { token, hash } = mintInvocationToken();
    const { caller, mode, priority = 'normal', webhook } = submission;
    // A refusal here keeps the key: another request with it may be carrying on under this id, and a retry will.
    await this.unfinished.reserve(id);
    try {
      const created = await this.store.create(id, {
        tool: tool.name,
        mode,
        args: JSON.stringify(args),
        format:
          typeof args.deliverable_format === 'string'
            ? args.deliverable_format
            : '',
        caller: caller.name ?? '',
        priority,
        webhook:
          webhook ?? this.config.webhooks.urls.get(caller.name ?? '') ?? '',
        tokens: hash,
      });
      if (!created) await this.store.addToken(id, hash);
      if (caller.name) await this.callers.add(caller.name, id);
      const queuePosition = await tool.start(id, priority);
      if (claim) await this.idempotency.accept(claim);
      return {
        record: created ? { ...created, queuePosition } : await this.read(id),
        token,
        replayed: !created,
      };
    } catch (error) {
      // Under a key a retry carries on under the same id; what was perhaps bought already must not be bought again.
      if (!claim) this.discard(id, caller.name);
      throw error;
    }
  }

  private async replay(id: string): Promise<Accepted> {
    const record = await this.read(id);
    const { token, hash } = mintInvocationToken();
    await this.store.addToken(id, hash);
    return { record, token, replayed: true };
  }

  /** A caller who was refused must find nothing half done: tried until Redis is there to do it. */
  private discard(id: string, caller: string | undefined): void {
    const attempt = async (): Promise<void> => {
      await this.store.cancel(id, { remove: true });
      await this.endings.settle(id);
      if (caller) await this.callers.remove(caller, id);
    };
    const again = (): void => {
      attempt().catch(() => setTimeout(again, 1_000).unref());
    };
    this.log.warn(`Submission ${id} was refused and is being discarded`);
    again();
  }

  private async end(
    record: InvocationRecord,
    options: { remove: boolean },
  ): Promise<void> {
    if (isFinal(record.status) && !options.remove) return;
    const outcome = await this.store.cancel(record.id, options);
    if (outcome === 'requested') await this.bell.ring('cancel', record.id);
    else if (outcome === 'unheld')
      await this.registry.get(record.tool).hasten(record.id);
    else await this.endings.settle(record.id);
  }
}
