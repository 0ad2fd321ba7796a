/** What an API key has used, by day, kind and model. Amounts of money are US dollars, days are UTC. */

export interface UsageQuery {
  /** The first day, as `YYYY-MM-DD`; 29 days before `to` unless given. */
  from?: string;
  /** The last day, as `YYYY-MM-DD`; today unless given. At most 92 days in all. */
  to?: string;
}

export interface UsageLine {
  kind: 'chat' | 'research';
  /** Empty where it is not known. */
  model: string;
  /** Ended runs of research; calls of the model in chats. */
  count: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
  /** Of `count`, those whose cost is not known: `cost_usd` lacks it. */
  unknown_cost: number;
}

export interface UsageDay {
  /** `YYYY-MM-DD`. */
  date: string;
  cost_usd: number;
  usage: UsageLine[];
}

export interface BudgetPeriod {
  /** Null: there is no limit. */
  limit_usd: number | null;
  spent_usd: number;
  /** What calls under way cost at most. */
  reserved_usd: number;
  /** When the next day or month begins. */
  resets_at: string;
}

export interface KeyUsage {
  from: string;
  to: string;
  /** Of all days. */
  cost_usd: number;
  /** Days with any usage, in their order. */
  data: UsageDay[];
  budget: { day: BudgetPeriod; month: BudgetPeriod };
}
