import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { isFinal } from '../record/run';
import { RunsService } from '../runs.service';
import { canonical } from '../store/idempotency.store';
import type { Accepted } from '../submit/run-submitter';
import { ADOPT, MARK } from './adoption.script';
import { isCurrent, REUSED_MS } from './joined-runs';

/** A caller whose process says nothing for so long is gone. */
const HOLD_MS = 6_000;
const RENEW_MS = 2_000;

interface Scripts {
  sondeAdopt(...args: (string | number)[]): Promise<[string, number]>;
  sondeMarkAdopted(...args: (string | number)[]): Promise<void>;
}

/** Whoever waits for the reply to a request. */
export interface WaitingClient {
  /** It says that it repeats a request. */
  readonly isRetry: boolean;
  /** Resolves when the reply is over: whether it was sent in full, and was no error. */
  answered(): Promise<boolean>;
}

/** A request without an idempotency key, whose client waits for the end of the run. */
export interface RepeatableRequest {
  readonly caller: CallerIdentity;
  readonly client: WaitingClient;
  /** What is called, and with what. */
  readonly target: string;
  readonly body: unknown;
  /** Ends the wait for what another process knows. */
  readonly signal: AbortSignal;
}

/**
 * Clients give up and send their request again. Two callers who wait for an answer have a run each, however equal their
 * requests are; a repeat takes over the run that the first request left behind, whatever process is asked. Callers without
 * an API key look alike: of theirs, only those that say they are repeats.
 */
@Injectable()
export class AdoptedRuns {
  private readonly redis: RedisClient & Scripts;

  constructor(
    connections: RedisConnections,
    private readonly runs: RunsService,
  ) {
    const { commands } = connections;
    commands.defineCommand('sondeAdopt', { numberOfKeys: 1, lua: ADOPT });
    commands.defineCommand('sondeMarkAdopted', { numberOfKeys: 1, lua: MARK });
    this.redis = commands as RedisClient & Scripts;
  }

  /**
   * @param submit with this idempotency key.
   * @throws AppError those of the submission; `shutting_down` when the signal aborts.
   */
  async adopt(
    request: RepeatableRequest,
    submit: (key: string) => Promise<Accepted>,
  ): Promise<Accepted> {
    const { caller, target, body } = request;
    const text = canonical([caller.name ?? null, target, body]);
    const hash = createHash('sha256').update(text).digest('hex');
    const place = `sonde:{repeat:${hash}}`;
    for (;;) {
      const { key, isNew } = await this.take(place, request);
      try {
        const accepted = await submit(`repeat-${key}`);
        const sinceMs = this.runs.now() - REUSED_MS;
        if (isNew || isCurrent(accepted.record, sinceMs)) {
          this.hold(place, key, accepted.record.id, request.client);
          return accepted;
        }
      } catch (error) {
        // What came of the submission is unknown: a repeat goes on with it.
        if (!(error instanceof AppError)) throw error;
        if (isNew || error.status !== 404) {
          await this.redis.hdel(place, key);
          throw error;
        }
      }
      // It has failed, or was deleted.
      await this.redis.hdel(place, key);
    }
  }

  /** The key of a run to take over, or of a new one. */
  private async take(
    place: string,
    { caller, client, signal }: RepeatableRequest,
  ): Promise<{ key: string; isNew: boolean }> {
    const unmarked = caller.name === undefined ? 'none' : 'left';
    const which = client.isRetry ? 'any' : unmarked;
    const fresh = randomUUID();
    for (let mayWait = 1; ; mayWait = 0) {
      const [key, waitMs] = await this.redis.sondeAdopt(
        place,
        fresh,
        which,
        HOLD_MS,
        REUSED_MS,
        mayWait,
      );
      if (key !== '') return { key, isNew: key === fresh };
      // Whoever is there renews it until then.
      await sleep(waitMs + 1, undefined, { signal }).catch(() => {
        throw new AppError('shutting_down');
      });
    }
  }

  /** Until the client has its answer or has gone. */
  private hold(
    place: string,
    key: string,
    id: string,
    client: WaitingClient,
  ): void {
    const mark = (state: string, ms: number): void => {
      // What is not noted is noted by time: the client counts as gone.
      this.redis.sondeMarkAdopted(place, key, state, ms).catch(() => undefined);
    };
    const renewal = setInterval(() => mark('held', HOLD_MS), RENEW_MS).unref();
    const leave = async (): Promise<void> => {
      const answered = await client.answered();
      clearInterval(renewal);
      const { status } = await this.runs.read(id);
      if (answered && isFinal(status)) mark('answered', 0);
      else mark('held', 0);
    };
    leave().catch(() => mark('held', 0));
  }
}
