import { priceTable } from '../../../test/support/price-table';
import { isAmount } from './amount';
import { Spending, UNKNOWN } from './spending';

const prices = priceTable({
  'my-gpt': { inputPerMillion: 1, outputPerMillion: 10 },
});
const TOKENS = { input_tokens: 1_000, output_tokens: 100 };
const PRICED = { models: ['my-gpt'], tokens: TOKENS };
const UNPRICED = { models: ['other'], tokens: TOKENS };
const REPORTED = { models: ['other'], usd: 0.1 };

describe(Spending.name, () => {
  const totalOf = (...calls: Parameters<Spending['add']>[0][]) => {
    const spending = new Spending(prices);
    for (const call of calls) spending.add(call);
    return spending.total;
  };

  it('is nothing before the first call', () => {
    expect(totalOf()).toBeUndefined();
  });

  it('sums what is reported without rounding errors, and takes a report for more than a price', () => {
    expect(totalOf(REPORTED, { ...PRICED, usd: 0.2 })).toEqual({
      usd: 0.3,
      source: 'gateway',
    });
  });

  it('is at prices once any call is, by the first name that has a price', () => {
    expect(
      totalOf({ ...PRICED, models: ['alias', 'my-gpt'] }, REPORTED),
    ).toEqual({ usd: 0.102, source: 'prices' });
  });

  it.each([
    ['no price', UNPRICED],
    ['no tokens', { models: ['my-gpt'] }],
    [
      'negative tokens',
      { ...PRICED, tokens: { ...TOKENS, input_tokens: -9e9 } },
    ],
    [
      'absurd tokens',
      { ...PRICED, tokens: { ...TOKENS, input_tokens: 1e300 } },
    ],
  ])('is unknown for good after a call with %s', (_, call) => {
    const total = totalOf(REPORTED, call, REPORTED);
    expect(total).toEqual({ usd: null, source: 'prices' });
    const later = new Spending(prices, total);
    later.add(REPORTED);
    expect(later.total!.usd).toBeNull();
  });

  it('continues a stored sum, and an unknown one as unknown', () => {
    const stored = JSON.stringify(totalOf(PRICED));
    const later = new Spending(prices, JSON.parse(stored));
    later.add(REPORTED);
    expect(later.total).toEqual({ usd: 0.102, source: 'prices' });
    expect(new Spending(prices, UNKNOWN).total).toEqual(UNKNOWN);
  });
});

describe(isAmount.name, () => {
  it.each([0, 1e-9, 1_000_000])('takes %p', (value) => {
    expect(isAmount(value)).toBe(true);
  });

  it.each([-1e-9, NaN, Infinity, 1_000_001, '1', null, undefined, {}])(
    'refuses %p',
    (value) => {
      expect(isAmount(value)).toBe(false);
    },
  );
});
