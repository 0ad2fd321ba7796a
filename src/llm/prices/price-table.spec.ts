import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config/environment';
import { loadConfig } from '../../config/load-config';
import { PriceTable } from './price-table';

const price = (inputPerMillion: number, outputPerMillion: number) => ({
  inputPerMillion,
  outputPerMillion,
});

describe('RELAY_PRICES_CONFIG', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prices-'));
  const path = join(folder, 'prices.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  const load = (content: unknown) => {
    const text =
      typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(path, text);
    return loadConfig({ RELAY_PRICES_CONFIG: path });
  };
  const table = (models: object) =>
    new PriceTable(load({ currency: 'USD', models }));

  it('is optional: no model has a price then', () => {
    const prices = new PriceTable(loadConfig({}));
    expect(prices.of('gpt-4o')).toBeUndefined();
    expect(
      prices.cost('gpt-4o', { input_tokens: 1, output_tokens: 1 }),
    ).toBeUndefined();
  });

  it.each([
    ['gpt-4o', 1],
    ['gpt-4o-mini', 2],
    ['openai/gpt-4o', 1],
    ['azure/gpt-4o', 3],
    ['azure/anything', 3],
    ['my-llama', 4],
  ])('gives %s the most precise price', (model, input) => {
    const prices = table({
      '*': price(4, 4),
      'gpt-4o*': price(2, 2),
      'gpt-4o': price(1, 1),
      'azure/*': price(3, 3),
    });
    expect(prices.of(model)).toEqual(price(input, input));
  });

  it('computes the cost of tokens', () => {
    const prices = table({ 'gpt-4o': price(2.5, 10), local: price(0, 0) });
    const tokens = { input_tokens: 200_000, output_tokens: 10_000 };
    expect(prices.cost('gpt-4o', tokens)).toBeCloseTo(0.6, 12);
    expect(prices.cost('local', tokens)).toBe(0);
    expect(prices.cost('unknown', tokens)).toBeUndefined();
  });

  it('finds a limit of money that cannot be kept', () => {
    const prices = table({ 'gpt-4o': price(2.5, 10) });
    const fault = (budget: object, models: string[]) =>
      prices.budgetFault(budget, models, 'arguments.budget');
    const limited = { max_cost_usd: 1 };
    expect(fault(limited, ['gpt-4o'])).toBeUndefined();
    expect(fault({ max_pages: 1 }, ['my-llama'])).toBeUndefined();
    expect(fault(limited, ['gpt-4o', 'my-llama'])).toEqual({
      path: 'arguments.budget.max_cost_usd',
      message: 'cannot be kept: the model "my-llama" has no configured price',
      code: 'needs_price',
    });
  });

  it.each([
    ['is not JSON', '{', /not JSON/],
    ['has no models', { currency: 'USD' }, /models is not an object of prices/],
    [
      'has another currency',
      { currency: 'EUR', models: {} },
      /currency is not "USD"/,
    ],
    [
      'has a price as a text',
      { currency: 'USD', models: { m: price('1' as never, 2) } },
      /models\.m\.inputPerMillion is not a number/,
    ],
    [
      'has a negative price',
      { currency: 'USD', models: { m: price(1, -2) } },
      /models\.m\.outputPerMillion is not a number from 0/,
    ],
    [
      'has half a price',
      { currency: 'USD', models: { m: { inputPerMillion: 1 } } },
      /models\.m\.outputPerMillion is not a number/,
    ],
    [
      'has an unknown field',
      { currency: 'USD', models: { m: { ...price(1, 2), cached: 1 } } },
      /models\.m\.cached is not known/,
    ],
    [
      'has a * in the middle of a name',
      { currency: 'USD', models: { 'gpt-*-mini': price(1, 2) } },
      /models\.gpt-\*-mini has a \* before its end/,
    ],
  ])('refuses a file that %s', (_, content, fault) => {
    expect(() => load(content)).toThrow(ConfigError);
    expect(() => load(content)).toThrow(fault);
    expect(() => load(content)).toThrow(/^RELAY_PRICES_CONFIG /);
  });
});
