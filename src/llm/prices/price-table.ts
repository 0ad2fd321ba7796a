import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Price } from '../../config/files/prices';
import { bestPattern } from '../../config/name-pattern';
import type { FieldError } from '../../platform/errors';
import { isAmount } from './amount';

const MILLION = 1_000_000;

/** The tokens of a call, as endpoints report them or as they are reserved. */
export interface Tokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** The configured prices of models. */
@Injectable()
export class PriceTable {
  private readonly prices: ReadonlyMap<string, Price>;

  constructor({ models }: AppConfig) {
    this.prices = models.prices;
  }

  /** A price for `gpt-4o` also holds for `openai/gpt-4o`, unless that has one of its own. */
  of(model: string): Price | undefined {
    const short = model.slice(model.lastIndexOf('/') + 1);
    const names = [...this.prices.keys()];
    const exact = names.filter((name) => name !== '*');
    const pattern =
      bestPattern(exact, model) ??
      bestPattern(exact, short) ??
      bestPattern(names, model);
    return pattern === undefined ? undefined : this.prices.get(pattern);
  }

  /** In US dollars; undefined for a model without a price, or absurd tokens. Cached input is not cheaper here. */
  cost(model: string, tokens: Tokens): number | undefined {
    const price = this.of(model);
    if (!price) return undefined;
    const { input_tokens, output_tokens } = tokens;
    const usd =
      (input_tokens * price.inputPerMillion +
        output_tokens * price.outputPerMillion) /
      MILLION;
    return isAmount(usd) ? usd : undefined;
  }

  /**
   * A limit of money that cannot be kept, because a model has no price: such a run must not begin.
   * @param path of the budget in the request, e.g. `arguments.budget`.
   * @param models all that the run may call.
   */
  budgetFault(
    { max_cost_usd }: { max_cost_usd?: number },
    models: readonly string[],
    path: string,
  ): FieldError | undefined {
    if (max_cost_usd === undefined) return undefined;
    const unpriced = models.find((model) => !this.of(model));
    return unpriced === undefined
      ? undefined
      : {
          path: `${path}.max_cost_usd`,
          message: `cannot be kept: the model "${unpriced.slice(0, 200)}" has no configured price`,
          code: 'needs_price',
        };
  }
}
