import { z } from 'zod';
import type { Environment } from '../environment';
import { type Fail, readJsonFile } from './json-file';

/** In US dollars. */
export interface Price {
  readonly inputPerMillion: number;
  /** Reasoning counts as output. */
  readonly outputPerMillion: number;
}

const NAME = 'RELAY_PRICES_CONFIG';
const EXAMPLE =
  '/etc/sonde/prices.json with {"currency":"USD","models":{"gpt-4o":{"inputPerMillion":2.5,"outputPerMillion":10}}}';
/** A larger price is a mistake of units. */
const MAX_PRICE = 100_000;

const NOT_A_PRICE = `is not a number from 0 to ${MAX_PRICE}`;
const amount = z
  .number(NOT_A_PRICE)
  .min(0, NOT_A_PRICE)
  .max(MAX_PRICE, NOT_A_PRICE);
const price = z.strictObject(
  { inputPerMillion: amount, outputPerMillion: amount },
  'is not an object',
);
const file = z.strictObject(
  {
    currency: z.literal('USD', 'is not "USD"'),
    models: z.record(z.string().min(1), price, 'is not an object of prices'),
  },
  'is not an object',
);

/** The prices of the file; empty if no file is configured. */
export function readPrices(env: Environment): ReadonlyMap<string, Price> {
  const fail: Fail = (fault) => env.fail(NAME, fault, EXAMPLE);
  const { models = {} } = readJsonFile(env, NAME, file, fail) ?? {};
  for (const pattern of Object.keys(models)) {
    const star = pattern.indexOf('*');
    if (star >= 0 && star < pattern.length - 1)
      fail(`names a file in which models.${pattern} has a * before its end`);
  }
  return new Map(Object.entries(models));
}
