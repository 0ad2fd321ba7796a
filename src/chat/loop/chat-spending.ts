import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { PriceTable } from '../../llm/prices/price-table';
import { Spending } from '../../llm/prices/spending';
import { accountOf } from '../../tenants/spend/spend-keys';
import { CallMeter } from '../../tenants/spend/call-meter';
import { spentIn, type Turn } from '../turns/chat-turn';

interface Start {
  origin: { caller: CallerIdentity };
  turns: readonly Turn[];
  /** Of a chat on record, which another worker may continue. */
  durable?: object;
}

/** Sums what a chat costs, and counts each call on the account of its caller. */
@Injectable()
export class ChatSpending {
  constructor(
    private readonly prices: PriceTable,
    private readonly meter: CallMeter,
  ) {}

  of({ origin, turns, durable }: Start): Spending {
    const account = accountOf(origin.caller);
    return new Spending(
      this.prices,
      spentIn(turns),
      ({ model, nano, tokens }) =>
        this.meter.count(
          account,
          {
            kind: 'chat',
            model,
            runs: 1,
            input: tokens?.input_tokens ?? 0,
            output: tokens?.output_tokens ?? 0,
            nano: nano ?? 0,
            unknown: nano === undefined ? 1 : 0,
          },
          // Before the reply is on the record, so that a crash loses neither or both.
          durable !== undefined,
        ),
    );
  }
}
