import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import { IDEMPOTENCY_KEY } from '../../runs/http/run-request';
import type { RunRecord } from '../../runs/record/run-record';
import { JoinedRuns } from '../../runs/repeats/joined-runs';
import type { Accepted } from '../../runs/submit/run-submitter';
import type { Arguments } from './mcp-call';

/** Submits with this idempotency key. */
type Submit = (args: Arguments, key: string) => Promise<Accepted>;

/** Calls with the same arguments stand for one run while it is unfinished and shortly after it has succeeded. */
@Injectable()
export class JoinedCalls {
  constructor(private readonly joined: JoinedRuns) {}

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
    if (key !== undefined) return (await submit(args, key)).record;
    const { record } = await this.joined.join(
      { door: 'mcp', caller, target: tool, body: args, isRetry: true },
      (generated) => submit(args, generated),
    );
    return record;
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
