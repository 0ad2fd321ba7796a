import { Injectable } from '@nestjs/common';
import { endsOf } from '../../spend/spend-keys';
import { AccountStore, type Line, usdOf } from '../../spend/account.store';
import { Budgets } from '../../spend/budgets';
import {
  type BudgetDto,
  type BudgetPeriodDto,
  daysOf,
  type UsageDto,
  type UsageLineDto,
  type UsageQueryDto,
} from './key-usage.dto';

/** What accounts have used, as replies have it. */
@Injectable()
export class UsageReports {
  constructor(
    private readonly accounts: AccountStore,
    private readonly budgets: Budgets,
  ) {}

  /** @throws AppError `validation_failed`. */
  async of(account: string, query: UsageQueryDto): Promise<UsageDto> {
    const days = daysOf(query, this.accounts.now());
    const [lines, budget] = await Promise.all([
      this.accounts.days(account, days),
      this.budgetOf(account),
    ]);
    const used = days.flatMap((date, at) =>
      lines[at].length > 0 ? [{ date, lines: lines[at] }] : [],
    );
    return {
      from: days[0],
      to: days.at(-1)!,
      cost_usd: costOf(lines.flat()),
      data: used.map(({ date, lines: ofDay }) => ({
        date,
        cost_usd: costOf(ofDay),
        usage: ofDay.map(toLineDto),
      })),
      budget,
    };
  }

  async budgetOf(account: string): Promise<BudgetDto> {
    const { day, month, reserved } = await this.accounts.standing(account);
    const limits = this.budgets.limitsOf(account) ?? {};
    const ends = endsOf(this.accounts.now());
    const period = (
      spent: number,
      limit: number | undefined,
      endsMs: number,
    ): BudgetPeriodDto => ({
      limit_usd: limit === undefined ? null : usdOf(limit),
      spent_usd: usdOf(spent),
      reserved_usd: usdOf(reserved),
      resets_at: new Date(endsMs).toISOString(),
    });
    return {
      day: period(day, limits.day, ends.day),
      month: period(month, limits.month, ends.month),
    };
  }
}

function costOf(lines: readonly Line[]): number {
  return usdOf(lines.reduce((sum, { nano }) => sum + nano, 0));
}

function toLineDto(line: Line): UsageLineDto {
  return {
    kind: line.kind,
    model: line.model,
    count: line.runs,
    input_tokens: line.input,
    output_tokens: line.output,
    cost_usd: usdOf(line.nano),
    unknown_cost: line.unknown,
  };
}
