import type { PriceTable, Tokens } from './price-table';

const NANO = 1e9;

/** What calls of models cost together. */
export interface Spent {
  /** In US dollars; null if the cost of any call is unknown. */
  usd: number | null;
  /** `prices` if any part of it is at the configured prices. */
  source: 'gateway' | 'prices';
}

/** A call that was answered, as its endpoint reports it. */
export interface PaidCall {
  /** The names of its model. The first that has a price counts. */
  models: readonly string[];
  /** In US dollars, if the endpoint reports it. */
  usd?: number;
  tokens?: Tokens;
}

/** What one call cost. */
export interface CountedCall {
  model: string;
  tokens?: Tokens;
  /** In billionths of a US dollar; undefined if it is unknown. */
  nano?: number;
}

/** Of calls that were made without counting their cost. */
export const UNKNOWN: Spent = { usd: null, source: 'gateway' };

/** Sums what calls cost. Money is summed in whole billionths, so that a sum has no more digits than its parts. */
export class Spending {
  private nano = 0;
  private isKnown = true;
  private source?: Spent['source'];

  /**
   * @param before what earlier calls cost, e.g. in another process; undefined if there were none.
   * @param counted receives every call.
   */
  constructor(
    private readonly prices: Pick<PriceTable, 'cost'>,
    before?: Spent,
    private readonly counted?: (call: CountedCall) => void,
  ) {
    if (before) this.addAmount(before.usd ?? undefined, before.source);
  }

  /** Undefined before the first call. */
  get total(): Spent | undefined {
    const { source, isKnown, nano } = this;
    return source && { usd: isKnown ? nano / NANO : null, source };
  }

  /** Returns what the call cost. */
  add({ usd, models, tokens }: PaidCall): Spent {
    const cost = usd ?? (tokens && this.priceOf(models, tokens));
    const source = usd === undefined ? 'prices' : 'gateway';
    this.addAmount(cost, source);
    const nano = cost === undefined ? undefined : Math.round(cost * NANO);
    this.counted?.({ model: models[0] ?? '', tokens, nano });
    return { usd: cost ?? null, source };
  }

  private priceOf(
    models: readonly string[],
    tokens: Tokens,
  ): number | undefined {
    for (const model of models) {
      const usd = this.prices.cost(model, tokens);
      if (usd !== undefined) return usd;
    }
    return undefined;
  }

  private addAmount(usd: number | undefined, source: Spent['source']): void {
    if (usd === undefined) this.isKnown = false;
    else this.nano += Math.round(usd * NANO);
    if (this.source !== 'prices') this.source = source;
  }
}
