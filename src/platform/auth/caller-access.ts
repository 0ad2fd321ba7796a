import { Injectable, Optional } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AppConfig } from '../../config/config';
import { AppError } from '../errors';
import { StoredKeys } from './stored-keys';

type Response = FastifyReply['raw'];

interface Access {
  isAllowed(): boolean;
  /** Found at a check before. */
  hasEnded: boolean;
}

/** Whether callers that were identified before are still allowed to act, in requests that are open and in runs. */
@Injectable()
export class CallerAccess {
  /** Open responses whose access can end. */
  private readonly open = new Map<Response, Access>();

  constructor(
    private readonly config: AppConfig,
    @Optional() private readonly stored?: StoredKeys,
  ) {
    stored?.onCheck(() => this.closeRefused());
  }

  /** Whether every key of this name was revoked or has expired. */
  isEnded(name: string | undefined): boolean {
    if (name === undefined || this.config.auth.apiKeys.has(name)) return false;
    return this.stored?.isEnded(name) ?? false;
  }

  /**
   * Whether a run may begin on behalf of this caller. A process without configured keys need not know those of the API,
   * so only the end of stored keys counts there.
   */
  async mayAct(name: string | undefined): Promise<boolean> {
    const { apiKeys } = this.config.auth;
    if (name === undefined || apiKeys.has(name)) return true;
    // The key may have been made a moment ago, in another process.
    if (!this.stored?.isActive(name)) await this.stored?.refresh();
    if (this.stored?.isActive(name)) return true;
    return apiKeys.size === 0 && !this.isEnded(name);
  }

  /** @throws AppError `api_key_removed` if the owner of a record has no valid key any more. */
  checkOwner(name: string | undefined): void {
    if (this.isEnded(name)) throw new AppError('api_key_removed');
  }

  /**
   * Closes the connection of a response that is still open when the key becomes invalid, such as an event stream; one that
   * has not begun at the check after that.
   */
  closeWithKey({ raw }: FastifyReply, keyId: string): void {
    this.watch(raw, () => this.stored?.isValid(keyId) ?? false);
  }

  /** The same for a response that a token or a ticket authorises, with the keys of the owner of its record. */
  closeWithOwner({ raw }: FastifyReply, name: string | undefined): void {
    if (name === undefined || !this.stored || this.open.has(raw)) return;
    this.watch(raw, () => !this.isEnded(name));
  }

  private watch(response: Response, isAllowed: () => boolean): void {
    this.open.set(response, { isAllowed, hasEnded: false });
    response.once('close', () => this.open.delete(response));
  }

  private closeRefused(): void {
    for (const [response, access] of this.open) {
      if (access.isAllowed()) continue;
      // A reply that is about to begin is not cut off: its client could not tell what came of the request.
      if (response.headersSent || access.hasEnded) response.destroy();
      access.hasEnded = true;
    }
  }
}
