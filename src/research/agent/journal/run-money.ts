import type {
  AccountStore,
  BookOutcome,
} from '../../../tenants/spend/account.store';
import { nanoOf } from '../../../tenants/spend/account.store';
import type { Budgets } from '../../../tenants/spend/budgets';
import { RunLost } from '../../../runs/worker/run-writer';
import type { Price, Used } from './journal';

/**
 * The account of a run that a worker holds. Each call is reserved before it begins, so that the calls of all runs together
 * never pass the budget of their key. A key without a budget costs no call to Redis.
 */
export class RunMoney {
  private model?: string;

  constructor(
    private readonly accounts: AccountStore,
    private readonly budgets: Budgets,
    private readonly of: { account: string; id: string; fence: string },
  ) {}

  /** Whether a call may begin, which `used` has among its reservations already. @throws RunLost */
  async affords(used: Used, { freeUsd = 0, model }: Price): Promise<boolean> {
    const limits = this.budgets.limitsOf(this.of.account);
    if (!limits) return true;
    this.model = model;
    // Without a price, a call begins as long as anything is left.
    const nano = Math.max(1, nanoOf(used.reservedUsd));
    const reservation = { nano, free: nanoOf(freeUsd), limits };
    const outcome = await this.book(used, model, reservation);
    if (outcome === 'lost') throw new RunLost();
    return outcome === 'ok';
  }

  /** Once no call is under way in this worker. */
  async release(used: Used): Promise<void> {
    if (this.model !== undefined) await this.book(used, this.model);
  }

  private async book(
    { spent }: Used,
    model: string,
    reservation?: Parameters<AccountStore['book']>[1],
  ): Promise<BookOutcome> {
    const { outcome } = await this.accounts.book(
      {
        ...this.of,
        kind: 'research',
        model,
        input: spent.input_tokens,
        output: spent.output_tokens,
        nano: nanoOf(spent.cost_usd),
        unknown: 0,
      },
      reservation,
    );
    return outcome;
  }
}
