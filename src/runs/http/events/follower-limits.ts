import type { ServerResponse } from 'node:http';

/** How many event streams an account may have open. A process that provides none has no such limit. */
export abstract class FollowerLimits {
  /**
   * Counts the response until it is closed.
   * @throws AppError `rate_limited` that names the limit.
   */
  abstract follow(account: string, response: ServerResponse): Promise<void>;
}
