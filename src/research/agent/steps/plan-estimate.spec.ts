import { DEPTH_LIMITS } from '../budget/depths';
import { typicalEstimate } from './plan-estimate';

const PRICE = { inputPerMillion: 1, outputPerMillion: 10 };

const estimateOf = (
  depth: 'quick' | 'standard' | 'deep',
  contextTokens: number,
) =>
  typicalEstimate({
    limits: DEPTH_LIMITS[depth],
    task: { args: {}, budget: {} },
    model: () => ({ contextTokens, price: PRICE }),
  });

describe(typicalEstimate.name, () => {
  it.each([
    ['quick', 6 + 4 + 3],
    ['standard', 11 + 16 * 2 + 2 + 1 + 8],
    ['deep', 17 + 40 * 3 + 3 + 2 + 14],
  ] as const)(
    'has at the depth %s as many calls as pages make that are longer than is read: %d',
    (depth, calls) => {
      expect(estimateOf(depth, 32_768).model_calls).toBe(calls);
    },
  );

  it('takes no call for larger than the context of its model', () => {
    const { tokens, model_calls } = estimateOf('deep', 2_000);
    expect(tokens).toBe(model_calls * 2_000);
  });

  it('costs what its tokens cost, written ones more', () => {
    const { tokens, cost_usd } = estimateOf('quick', 32_768);
    const perMillion = (cost_usd! / tokens) * 1e6;
    expect(perMillion).toBeGreaterThan(PRICE.inputPerMillion);
    expect(perMillion).toBeLessThan(PRICE.outputPerMillion);
  });
});
