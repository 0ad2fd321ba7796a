import { Injectable } from '@nestjs/common';
import { RunReader } from '../../../runs/store/run-reader';
import { storedObject } from '../../../runs/record/stored-fields';
import type { Cost, Usage } from '../../../runs/record/run';
import { EndListeners } from '../../../runs/ending/end-listeners';
import { accountOf } from '../../spend/spend-keys';
import { AccountStore, nanoOf } from '../../spend/account.store';

/** Counts what research has cost on the account of its caller, once it has ended. Chats are counted call by call. */
@Injectable()
export class RunSettlement {
  constructor(
    private readonly reader: RunReader,
    private readonly accounts: AccountStore,
    listeners: EndListeners,
  ) {
    listeners.register({ settle: (id) => this.settle(id) });
  }

  /** A run that is removed at its end leaves what it cost in its tombstone. */
  private async settle(id: string): Promise<void> {
    const fields = await this.reader.readSome(
      id,
      'account',
      'engine',
      'model',
      'upstream_id',
      'usage',
      'cost',
    );
    const cost = storedObject<Cost>(fields.cost);
    const usage = storedObject<Usage>(fields.usage);
    const hasBegun = Boolean(fields.upstream_id || usage?.total_tokens);
    // Nothing was bought for it.
    if (!fields.engine || !(cost || hasBegun)) return;
    await this.accounts.book({
      account: accountOf(fields),
      id,
      kind: 'research',
      model: fields.model ?? '',
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      nano: nanoOf(cost?.spent ?? 0),
      unknown: cost ? 0 : 1,
      isFinal: true,
    });
  }
}
