import { Injectable, Logger, Optional } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { mintInvocationToken } from '../../platform/auth/invocation-token';
import { isResearch } from '../../platform/auth/scopes';
import { AppConfig } from '../../config/config';
import type { FieldError } from '../../platform/errors';
import { report } from '../../platform/metrics/facts';
import type { Suspension } from '../record/suspension';
import { CallerRunsIndex } from '../store/caller-runs-index';
import { RunKinds } from '../queue/run-kinds';
import {
  type IdempotencyClaim,
  IdempotencyStore,
} from '../store/idempotency.store';
import type { FieldsOf, SubmittedField } from '../record/run-fields';
import { isFinal, type Mode, type Priority } from '../record/run';
import { EndListeners } from '../ending/end-listeners';
import { notFound } from '../record/run-id';
import { RunReader } from '../store/run-reader';
import type { RunRecord } from '../record/run-record';
import { questionIn } from './listed-question';
import { RunStore } from '../store/run.store';
import { traceOfRecord } from '../../platform/tracing/tracing';
import { CapacityStore } from '../store/capacity.store';
import { SubmissionLimits } from './submission-limits';

/** What a record holds of a submission besides its tool and arguments. */
export interface Acceptance {
  mode: Mode;
  priority?: Priority;
  /** Where the end is announced, if not to where the API key's always are. */
  webhook?: string;
  caller: CallerIdentity;
  /** `X-Request-Id` of the request that it belongs to. */
  requestId?: string;
  /** Headers of that request that go on to the model endpoint. */
  forwarded?: Readonly<Record<string, string>>;
  /** Given to the tool besides its arguments. */
  toolContext?: Readonly<Record<string, unknown>>;
  /** When it is to begin, if not at once. */
  dueMs?: number;
  /** Hashes of tokens that open it, besides its own. */
  openedBy?: readonly string[];
  /** More fields of the record. */
  fields?: FieldsOf<string>;
  /** False: neither listed for its caller nor announced. */
  listed?: boolean;
  /** False: its end is announced to no webhook. */
  announced?: boolean;
  /** The submission is repeated under the same id after a failure, so it is never rolled back. */
  derived?: boolean;
  /** An accepted run cannot end without it, so capacity never refuses it. */
  needed?: boolean;
  /** It is suspended first, so no worker gets it. */
  awaiting?: Suspension;
  /** Writes what the run begins with, before there is a record. Safe to repeat. Returns more fields of the record. */
  prepare?: (id: string) => Promise<FieldsOf<string>>;
}

/** A submission that may be repeated. */
export interface Keyed extends Omit<Acceptance, 'derived'> {
  /** Repeating it returns the same run. */
  id?: string;
  idempotency?: { key: string; body: unknown };
}

export interface Submission extends Omit<Keyed, 'dueMs'> {
  tool: string;
  arguments: Record<string, unknown>;
  /** Faults of the request that are known already; reported together with those of the arguments. */
  faults?: FieldError[];
}

export interface Accepted {
  record: RunRecord;
  /** Opens the record; returned only here. */
  token: string;
  replayed: boolean;
}

/** Accepts work: writes the record first, then dispatches it. */
@Injectable()
export class RunSubmitter {
  private readonly log = new Logger('RunSubmitter');

  constructor(
    private readonly config: AppConfig,
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly capacity: CapacityStore,
    private readonly endings: EndListeners,
    private readonly kinds: RunKinds,
    private readonly callers: CallerRunsIndex,
    private readonly idempotency: IdempotencyStore,
    @Optional() private readonly limits?: SubmissionLimits,
  ) {}

  /**
   * When this returns, the work will reach a final status, whatever happens to this process. A run that waits for a
   * person is begun by the reconciler if this process dies before it has recorded that.
   * @param claim of the idempotency key of the request.
   * @throws AppError `capacity_exceeded`; `rate_limited`; `invocation_not_found` or `chat_not_found` if its owner has deleted the run of
   * this id.
   */
  async accept(
    id: string,
    tool: string,
    args: Record<string, unknown>,
    submission: Acceptance,
    claim?: IdempotencyClaim,
  ): Promise<Accepted> {
    const { token, hash } = mintInvocationToken();
    const { caller, mode, priority = 'normal', webhook } = submission;
    const { dueMs, openedBy = [], requestId = '', fields } = submission;
    const { listed = true, announced = listed } = submission;
    const { derived, needed, awaiting, forwarded, toolContext } = submission;
    const ownWebhook = this.config.webhooks.urls.get(caller.name ?? '') ?? '';
    const kind = this.kinds.of(tool);
    // What an accepted run needs is never refused, nor is one that is submitted again.
    const isRepeat = (claim ?? derived) && (await this.reader.readStatus(id));
    if (!needed && !isRepeat) await kind.mayBegin?.(caller);
    const own = await kind.fieldsOf?.(args, caller);
    // A refusal here keeps the key: another request with it may be continuing under this id, and a retry will.
    await this.admit(id, tool, args, submission);
    try {
      await this.capacity.reserve(id, needed);
    } catch (error) {
      if (!claim && !derived) this.unaccepted(id, caller);
      throw error;
    }
    let isNew = true;
    try {
      const submitted: FieldsOf<SubmittedField> = {
        tool,
        mode,
        args: JSON.stringify(args),
        format:
          typeof args.deliverable_format === 'string'
            ? args.deliverable_format
            : '',
        caller: caller.name ?? '',
        ...(caller.account && { account: caller.account }),
        ...(caller.scopes && { scopes: caller.scopes.join(' ') }),
        priority,
        ...(needed && { needed: '1' }),
        request_id: requestId,
        ...traceOfRecord(),
        ...(forwarded && { forwarded: JSON.stringify(forwarded) }),
        ...(toolContext && { tool_context: JSON.stringify(toolContext) }),
        due_ms: String(dueMs ?? ''),
        webhook: announced ? (webhook ?? ownWebhook) : '',
        tokens: [...openedBy, hash].join(','),
      };
      const created = await this.store.create(id, {
        question: questionIn(args),
        ...own,
        ...fields,
        ...(await submission.prepare?.(id)),
        ...submitted,
      });
      isNew = created !== undefined;
      if (isNew) report('run_accepted', { kind: tool });
      const record = created ?? (await this.again(id, claim && hash));
      if (listed && this.isListed(caller))
        await this.callers.add(caller.name, id, dueMs);
      const queuePosition = await this.begin(id, tool, priority, awaiting);
      if (claim) await this.idempotency.accept(claim);
      return {
        record: created ? { ...record, queuePosition } : record,
        token,
        replayed: !created,
      };
    } catch (error) {
      // A retry continues under the same id; what may have been purchased is never purchased again.
      if (!claim && !derived && isNew) this.discard(id, caller);
      throw error;
    }
  }

  /** What an accepted run needs is counted and never refused; a part of it that it has scheduled is not even counted. */
  private async admit(
    id: string,
    tool: string,
    args: Record<string, unknown>,
    submission: Acceptance,
  ): Promise<void> {
    const { caller, needed, derived, dueMs, fields } = submission;
    const { account } = caller;
    const isParked = dueMs !== undefined;
    if (account === undefined || !this.limits || (needed && isParked)) return;
    await this.limits.admit({
      id,
      account,
      isResearch: isResearch(tool),
      isParked,
      bytes: Buffer.byteLength(JSON.stringify([args, fields])),
      isForced: !isParked && (needed === true || derived === true),
    });
  }

  /** Callers without a name have a listing only on a loopback service without keys, where they are the user of the machine. */
  private isListed({ name }: CallerIdentity): boolean {
    const { auth, http } = this.config;
    return name !== undefined || (http.loopback && !auth.required);
  }

  /** @param hash of one more token; undefined if no other token is returned to a caller. */
  private async again(
    id: string,
    hash: string | undefined,
  ): Promise<RunRecord> {
    if (hash) await this.store.addToken(id, hash);
    const record = await this.reader.read(id);
    // The capacity that was just reserved for an ended run is released here.
    if (record && isFinal(record.status)) await this.endings.settle(id);
    if (record) return record;
    // One that is removed while it runs is settled at its end.
    if (!(await this.reader.readStatus(id))) await this.endings.settle(id);
    throw notFound(id);
  }

  private async begin(
    id: string,
    tool: string,
    priority: Priority,
    awaiting: Suspension | undefined,
  ): Promise<number | null> {
    if (!awaiting) return this.kinds.dispatcherOf(tool).start(id, priority);
    await this.store.await(id, undefined, awaiting);
    return null;
  }

  /** If this fails, the limits find it themselves. */
  private unaccepted(id: string, { account }: CallerIdentity): void {
    if (account === undefined) return;
    this.limits?.release(id, account).catch(() => undefined);
  }

  /** A refused submission leaves nothing behind: repeated until Redis is available. */
  private discard(id: string, caller: CallerIdentity): void {
    const attempt = async (): Promise<void> => {
      await this.store.cancel(id, { remove: true });
      await this.endings.settle(id);
      await this.callers.remove(caller.name, id);
    };
    const again = (): void => {
      attempt().catch(() => setTimeout(again, 1_000).unref());
    };
    this.log.warn(`Submission ${id} was refused and is being discarded`);
    this.unaccepted(id, caller);
    again();
  }
}
