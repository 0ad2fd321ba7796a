import { Injectable, Logger, Optional } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { mintInvocationToken } from '../../platform/auth/invocation-token';
import { isResearch } from '../../platform/auth/scopes';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { report } from '../../platform/metrics/facts';
import { CallerRunsIndex } from '../store/caller-runs-index';
import { RunKinds } from '../queue/run-kinds';
import {
  type IdempotencyClaim,
  IdempotencyStore,
} from '../store/idempotency.store';
import { isFinal } from '../record/run';
import { EndListeners } from '../ending/end-listeners';
import { notFound, prefixOf } from '../record/run-id';
import { RunReader } from '../store/run-reader';
import { ownerOf, type RunRecord } from '../record/run-record';
import { checkedRun, type CheckedRun } from './checked-run';
import { questionIn } from './listed-question';
import { RunStore } from '../store/run.store';
import { CapacityStore } from '../store/capacity.store';
import {
  type Accepted,
  hasListing,
  type NeededRun,
  type ParkedRun,
  type ScheduledRun,
  type Submission,
  submittedFields,
  type Writing,
} from './submission';
import { SubmissionLimits } from './submission-limits';

export type { Accepted };

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

  /** @param id unless its idempotency key stands for another. */
  async submit(
    id: string,
    { idempotency, ...submission }: Submission,
  ): Promise<Accepted> {
    if (!idempotency) return this.write(id, submission);
    const { name } = submission.caller;
    const { key, body } = idempotency;
    const earlier = await this.idempotency.find(name, key, body);
    if (earlier?.accepted) return this.replay(earlier.invocationId);
    // What is refused for its contents leaves the key to the mended body.
    const checked = await this.checked(submission, earlier?.invocationId);
    const claim = await this.idempotency.claim(name, key, body, id);
    if (claim.accepted) return this.replay(claim.invocationId);
    return this.create(claim.invocationId, checked, claim);
  }

  /** On behalf of `earlier`: tokens that open that one open this one too. Safe to repeat with the same id. */
  schedule(
    earlier: RunRecord,
    { id, isPart, ...run }: ScheduledRun,
  ): Promise<Accepted> {
    return this.write(id, {
      ...run,
      mode: 'background',
      caller: ownerOf(earlier),
      openedBy: earlier.tokenHashes,
      priority: earlier.priority,
      webhook: earlier.webhook,
      requestId: earlier.requestId,
      isNeeded: isPart,
      isRepeated: true,
    });
  }

  /** It is begun by the reconciler if this process dies before it has recorded that it waits. */
  park(id: string, run: ParkedRun): Promise<Accepted> {
    return this.write(id, { ...run, mode: 'foreground' });
  }

  /** Safe to repeat with the same id. */
  continue({ id, ...run }: NeededRun): Promise<Accepted> {
    const always = { isNeeded: true, isRepeated: true };
    return this.write(id, { ...run, mode: 'background', ...always });
  }

  private async write(id: string, given: Writing): Promise<Accepted> {
    const earlier = given.isRepeated ? id : undefined;
    return this.create(id, await this.checked(given, earlier));
  }

  private checked(given: Writing, earlier?: string): Promise<CheckedRun> {
    return checkedRun(given, this.kinds, this.reader, earlier);
  }

  /**
   * When this returns, the work will reach a final status, whatever happens to this process.
   * @throws AppError `capacity_exceeded`; `rate_limited`; `invocation_not_found` or `chat_not_found` if its owner has deleted it.
   */
  private async create(
    id: string,
    { run, own }: CheckedRun,
    claim?: IdempotencyClaim,
  ): Promise<Accepted> {
    const { token, hash } = mintInvocationToken();
    const { tool, caller, dueMs, isNeeded } = run;
    const ownWebhook = this.config.webhooks.urls.get(caller.name ?? '') ?? '';
    // A part that is scheduled is no affair of the caller, and the end of a chat is announced to no webhook.
    const isListed = !(isNeeded && dueMs !== undefined);
    const isAnnounced = isListed && prefixOf(id) !== 'chat_';
    const isKept = claim !== undefined || run.isRepeated === true;
    // A refusal here keeps the key: another request with it may be continuing under this id, and a retry will.
    await this.admit(id, run);
    try {
      await this.capacity.reserve(id, isNeeded);
    } catch (error) {
      if (!isKept) this.unaccepted(id, caller);
      throw error;
    }
    const keptMs = caller.account && this.limits?.retentionMs(caller.account);
    let isNew = true;
    try {
      const webhook = isAnnounced ? (run.webhook ?? ownWebhook) : '';
      const created = await this.store.create(id, {
        question: questionIn(run.arguments),
        ...own,
        ...run.fields,
        ...(await run.prepare?.(id)),
        ...submittedFields(run, webhook, [...(run.openedBy ?? []), hash]),
        ...(keptMs && { keep_ms: String(keptMs) }),
      });
      isNew = created !== undefined;
      if (isNew) report('run_accepted', { kind: tool });
      const record = created ?? (await this.again(id, claim && hash));
      if (isListed && hasListing(caller, this.config))
        await this.callers.add(caller.name, id, dueMs, keptMs || undefined);
      const queuePosition = await this.begin(id, run);
      if (claim) await this.idempotency.accept(claim);
      return {
        record: created ? { ...record, queuePosition } : record,
        token,
        replayed: !created,
      };
    } catch (error) {
      // A retry continues under the same id; what may have been purchased is never purchased again.
      if (!isKept && isNew) this.discard(id, caller);
      // A retry would fail in the same way, and a worker must not get what its caller knows as failed.
      else if (isNew && !isRedisUnavailable(error)) await this.fail(id);
      throw error;
    }
  }

  private async replay(id: string): Promise<Accepted> {
    const record = await this.reader.read(id);
    if (!record) throw notFound(id);
    const { token, hash } = mintInvocationToken();
    await this.store.addToken(id, hash);
    return { record, token, replayed: true };
  }

  /** What an accepted run needs is counted and never refused; a part of it that it has scheduled is not even counted. */
  private async admit(id: string, run: Writing): Promise<void> {
    const { tool, caller, isNeeded = false, fields, metadata } = run;
    const { account } = caller;
    const isParked = run.dueMs !== undefined;
    if (account === undefined || !this.limits || (isNeeded && isParked)) return;
    await this.limits.admit({
      id,
      account,
      isResearch: isResearch(tool),
      isParked,
      bytes: Buffer.byteLength(
        JSON.stringify([run.arguments, fields, metadata]),
      ),
      isForced: isNeeded,
    });
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
    { tool, priority = 'normal', awaiting }: Writing,
  ): Promise<number | null> {
    if (!awaiting) return this.kinds.dispatcherOf(tool).start(id, priority);
    await this.store.await(id, undefined, awaiting);
    return null;
  }

  private async fail(id: string): Promise<void> {
    const { code, message } = new AppError('internal_error');
    const ending = { status: 'failed' as const, error: { code, message } };
    await this.endings.ending(
      id,
      () => this.store.finish(id, undefined, ending),
      (came) => came === 'held',
    );
    await this.endings.settle(id);
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
