import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { type KeySettings, StoredKeys } from '../../platform/auth/stored-keys';
import { AppError } from '../../platform/errors';
import { report } from '../../platform/metrics/facts';
import { accountOf, dayOf, endsOf } from './spend-keys';
import {
  AccountStore,
  nanoOf,
  type Reservation,
  type Standing,
  usdOf,
} from './account.store';

/** A chat is refused at the latest so long after the money is spent. */
export const VIEW_MS = 1_000;

type Limits = Reservation['limits'];

interface Spent {
  /** Whose budget it is. */
  period: 'day' | 'month';
  endsMs: number;
  /** It is not known whether it is spent: so many costs of the day are not. */
  unknown?: number;
}

/** Null: no limit of that period. */
interface Left {
  day_usd: number | null;
  month_usd: number | null;
}

interface View {
  standing: Standing;
  at: number;
  day: string;
}

/** The budgets of API keys: once one is spent, nothing new begins. */
@Injectable()
export class Budgets {
  /** Of accounts with a budget, as Redis had them a moment ago. */
  private readonly views = new Map<string, View>();
  private readonly reading = new Map<string, Promise<Standing>>();
  /** Not sent yet. */
  private readonly upcoming = new Map<string, Promise<Standing>>();

  constructor(
    private readonly accounts: AccountStore,
    @Optional() private readonly keys?: StoredKeys,
  ) {}

  /** In nano-dollars; undefined without a budget. */
  limitsOf(account: string): Limits | undefined {
    return limitsIn(this.keys?.settingsOf(account) ?? {});
  }

  /**
   * A caller without a budget costs no call to Redis.
   * @param maxAgeMs of what this process knows.
   * @throws AppError `budget_exceeded`.
   */
  async check(caller: { account?: string }, maxAgeMs = 0): Promise<void> {
    const spent = await this.spentOf(accountOf(caller), maxAgeMs);
    if (spent) throw exceeded(spent);
  }

  /** The budget that is spent or reserved, and when it begins anew. */
  async spentOf(account: string, maxAgeMs = 0): Promise<Spent | undefined> {
    const limits = this.limitsOf(account);
    if (!limits) return undefined;
    const standing = await this.standing(account, maxAgeMs);
    const ends = endsOf(this.accounts.now());
    const period = spentPeriod(limits, standing);
    if (period) return { period, endsMs: ends[period] };
    const { unknown } = standing;
    if (unknown === undefined) return undefined;
    const limited = limits.day === undefined ? 'month' : 'day';
    return { period: limited, endsMs: ends.day, unknown };
  }

  /** In US dollars, what is neither spent nor reserved; undefined without a budget. */
  async leftOf(account: string): Promise<Left | undefined> {
    const limits = this.limitsOf(account);
    if (!limits) return undefined;
    const { reserved, ...spent } = await this.standing(account, 0);
    const left = (period: 'day' | 'month') => {
      const limit = limits[period];
      if (limit === undefined) return null;
      return usdOf(Math.max(0, limit - spent[period] - reserved));
    };
    return { day_usd: left('day'), month_usd: left('month') };
  }

  /** What a reply of Redis said of an account. */
  note(account: string, standing: Standing): void {
    if (!this.limitsOf(account)) return void this.views.delete(account);
    const day = dayOf(this.accounts.now());
    this.views.set(account, { standing, at: performance.now(), day });
  }

  private async standing(account: string, maxAgeMs: number): Promise<Standing> {
    const view = this.views.get(account);
    const isFresh = view && performance.now() - view.at < maxAgeMs;
    if (isFresh && view.day === dayOf(this.accounts.now()))
      return view.standing;
    const known = maxAgeMs > 0 && this.reading.get(account);
    return known || this.read(account);
  }

  /** Whoever asks in one turn of the event loop shares one call to Redis. */
  private read(account: string): Promise<Standing> {
    const upcoming = this.upcoming.get(account);
    if (upcoming) return upcoming;
    const reading = this.readNextTurn(account).finally(() => {
      if (this.reading.get(account) === reading) this.reading.delete(account);
    });
    this.upcoming.set(account, reading);
    this.reading.set(account, reading);
    return reading;
  }

  private async readNextTurn(account: string): Promise<Standing> {
    await nextTurn();
    this.upcoming.delete(account);
    const standing = await this.accounts.standing(account);
    this.note(account, standing);
    return standing;
  }
}

/** In nano-dollars; undefined without a budget. */
export function limitsIn({ budget = {} }: KeySettings): Limits | undefined {
  const { day_usd, month_usd } = budget;
  if (day_usd === undefined && month_usd === undefined) return undefined;
  return {
    ...(day_usd !== undefined && { day: nanoOf(day_usd) }),
    ...(month_usd !== undefined && { month: nanoOf(month_usd) }),
  };
}

/** The longest period whose budget is spent or reserved. */
export function spentPeriod(
  limits: Limits,
  { day, month, reserved }: Standing,
): Spent['period'] | undefined {
  if (limits.month !== undefined && month + reserved >= limits.month)
    return 'month';
  if (limits.day !== undefined && day + reserved >= limits.day) return 'day';
  return undefined;
}

function exceeded({ period, endsMs, unknown }: Spent): AppError {
  const limit = `budget.${period}_usd`;
  report('limit_hit', { limit });
  const resetsAt = new Date(endsMs).toISOString();
  const why =
    unknown === undefined
      ? 'is spent or reserved'
      : `cannot be kept: what ${unknown} of today's runs and calls cost is not known, as their models have no price`;
  return new AppError(
    'budget_exceeded',
    `The budget of this API key for the ${period} (${limit}) ${why}.`,
    { limit, resetsAt },
  );
}
