import { priceTable } from '../../../test/support/price-table';
import { costOf } from './hosted-cost';

const USAGE = {
  input_tokens: 1_000,
  output_tokens: 100,
  total_tokens: 1_100,
  tool_calls: 2,
};
const prices = priceTable({
  'my-o3': { inputPerMillion: 1, outputPerMillion: 10 },
});
const cost = (reported: object | undefined, usage = USAGE, model = 'my-o3') =>
  costOf({ usage: reported as never, model }, usage, prices);

describe(costOf.name, () => {
  it('is the tokens at the configured prices', () => {
    expect(cost(USAGE)).toMatchObject({ spent: 0.002, source: 'prices' });
  });

  it.each([
    ['a number', 0.25],
    ['nothing', 0],
    ['a sum of parts', { total_cost: 0.25, request_cost: 0.2 }],
  ])('is what the gateway reports before any price: %s', (_, reported) => {
    const spent = typeof reported === 'number' ? reported : 0.25;
    expect(cost({ ...USAGE, cost: reported })).toMatchObject({
      spent,
      source: 'gateway',
    });
    expect(cost({ ...USAGE, cost: reported }, USAGE, 'other')).toMatchObject({
      spent,
    });
  });

  it.each([['0.25'], [-1], [NaN], [null], [{ total_cost: 'much' }]])(
    'does not take %j of a gateway for a cost',
    (reported) => {
      expect(cost({ ...USAGE, cost: reported })).toMatchObject({
        source: 'prices',
      });
    },
  );

  it('is unknown for a model without a price, or a run without usage', () => {
    expect(cost(USAGE, USAGE, 'other')).toBeUndefined();
    expect(
      costOf({ usage: undefined, model: 'my-o3' }, null, prices),
    ).toBeUndefined();
  });
});
