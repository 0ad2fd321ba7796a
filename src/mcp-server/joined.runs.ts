import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { AppError } from '../errors';
import { type RedisClient, RedisConnections } from '../redis/redis-connections';
import { IDEMPOTENCY_KEY } from '../runs/http/run-request';
import { isFinal } from '../runs/run';
import { RunReader } from '../runs/record/run.reader';
import type { RunRecord } from '../runs/record/run.record';
import { RunsService } from '../runs/runs.service';
import { canonical } from '../runs/submit/idempotency.store';
import type { Accepted } from '../runs/submit/run.submitter';
import type { Arguments } from './mcp.call';

/** As long as an idempotency key counts. Every call with the same arguments begins it anew. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** So long after a successful end, a call with the same arguments gets that result: its client may have timed out before. */
const REUSED_MS = 15 * 60 * 1000;

/** Replaces what stands for the arguments if that is still ARGV[1]; answers what stands for them then. */
const REPLACE = `
local known = redis.call('GET', KEYS[1])
if not known or known == ARGV[1] then
  known = ARGV[2]
  redis.call('SET', KEYS[1], known, 'PX', ARGV[3])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return known`;

interface Scripts {
  sondeMcpJoin(...args: (string | number)[]): Promise<string>;
}

/** Submits with this idempotency key. */
type Submit = (args: Arguments, key: string) => Promise<Accepted>;

/**
 * Clients give up after a minute and call again. The same arguments of the same caller stand for one run while it is
 * unfinished and shortly after it has succeeded, whatever process is asked, and whichever of them died in between.
 */
@Injectable()
export class JoinedRuns {
  private readonly redis: RedisClient & Scripts;

  constructor(
    connections: RedisConnections,
    private readonly runs: RunsService,
    private readonly reader: RunReader,
  ) {
    const { commands } = connections;
    commands.defineCommand('sondeMcpJoin', { numberOfKeys: 1, lua: REPLACE });
    this.redis = commands as RedisClient & Scripts;
  }

  /**
   * @param tool of the API; with `idempotency_key` the run is that of a request to the API with the same key and body.
   * @throws AppError those of the submission.
   */
  async submit(
    caller: CallerIdentity,
    tool: string,
    { idempotency_key: given, ...args }: Arguments,
    submit: Submit,
  ): Promise<RunRecord> {
    const key = readKey(given);
    if (key === undefined) return this.join(caller, tool, args, submit);
    return (await submit(args, key)).record;
  }

  private async join(
    caller: CallerIdentity,
    tool: string,
    args: Arguments,
    submit: Submit,
  ): Promise<RunRecord> {
    const body = canonical([caller.name ?? null, tool, args]);
    const hash = createHash('sha256').update(body).digest('hex');
    const place = `sonde:{mcp:${hash}}`;
    let known = '';
    for (;;) {
      known = await this.replace(place, known, randomUUID());
      const [generation, id] = known.split(' ');
      if (id === undefined) {
        const submitted = submit(args, `mcp-${generation}`);
        const { record } = await this.orForget(place, known, submitted);
        await this.replace(place, known, `${generation} ${record.id}`);
        return record;
      }
      const record = await this.reader.read(id);
      if (record && this.isCurrent(record)) return record;
    }
  }

  /** A run that was deleted before its id was written here must not refuse all later calls. */
  private async orForget<T>(
    place: string,
    known: string,
    submitted: Promise<T>,
  ): Promise<T> {
    try {
      return await submitted;
    } catch (error) {
      if (error instanceof AppError && error.status === 404)
        await this.replace(place, known, randomUUID());
      throw error;
    }
  }

  private isCurrent({ status, completedMs }: RunRecord): boolean {
    if (!isFinal(status)) return true;
    if (status === 'failed' || status === 'cancelled') return false;
    return (completedMs ?? 0) > this.runs.now() - REUSED_MS;
  }

  private replace(place: string, before: string, after: string) {
    return this.redis.sondeMcpJoin(place, before, after, KEPT_MS);
  }
}

function readKey(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (
    typeof given === 'string' &&
    new RegExp(IDEMPOTENCY_KEY.pattern).test(given)
  )
    return given;
  throw new AppError('validation_failed', 'Some arguments are not valid.', {
    errors: [
      {
        path: 'arguments.idempotency_key',
        message: 'must be 1 to 255 printable ASCII characters',
      },
    ],
  });
}
