import type { AgentModel } from '../agent-ports';

/** Tokens and money of some model calls. */
export interface Amount {
  tokens: number;
  costUsd: number;
}

/** What model calls may still use. A call reserves its largest use and settles what it used, so the limit is never passed. */
export class Allowance {
  constructor(
    private readonly limit: Amount,
    private readonly purse = { used: { tokens: 0, costUsd: 0 } as Amount },
  ) {}

  /** What it leaves to calls that come before others, for which so much is kept. */
  keeping({ tokens, costUsd }: Amount): Allowance {
    const { limit, purse } = this;
    const less = {
      tokens: limit.tokens - tokens,
      costUsd: limit.costUsd - costUsd,
    };
    return new Allowance(less, purse);
  }

  get left(): Amount {
    return {
      tokens: this.limit.tokens - this.purse.used.tokens,
      costUsd: this.limit.costUsd - this.purse.used.costUsd,
    };
  }

  affords({ tokens, costUsd }: Amount): boolean {
    return this.left.tokens >= tokens && this.left.costUsd >= costUsd;
  }

  settle({ tokens, costUsd }: Amount): void {
    const { used } = this.purse;
    this.purse.used = {
      tokens: used.tokens + tokens,
      costUsd: used.costUsd + costUsd,
    };
  }

  get spent(): Amount {
    return this.purse.used;
  }
}

export function amountOf(
  { price }: Pick<AgentModel, 'price'>,
  input: number,
  output: number,
): Amount {
  const costUsd = price
    ? (input * price.inputPerMillion + output * price.outputPerMillion) / 1e6
    : 0;
  return { tokens: input + output, costUsd };
}
