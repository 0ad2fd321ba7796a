import type { AgentModel } from '../agent-ports';

/** Tokens and money of some model calls. */
export interface Amount {
  tokens: number;
  costUsd: number;
}

/** What model calls may still use. A call reserves its largest use and settles what it used, so the limit is never passed. */
export class Allowance {
  private used: Amount = { tokens: 0, costUsd: 0 };

  constructor(private readonly limit: Amount) {}

  get left(): Amount {
    return {
      tokens: this.limit.tokens - this.used.tokens,
      costUsd: this.limit.costUsd - this.used.costUsd,
    };
  }

  affords({ tokens, costUsd }: Amount): boolean {
    return this.left.tokens >= tokens && this.left.costUsd >= costUsd;
  }

  settle({ tokens, costUsd }: Amount): void {
    this.used = {
      tokens: this.used.tokens + tokens,
      costUsd: this.used.costUsd + costUsd,
    };
  }

  get spent(): Amount {
    return this.used;
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
