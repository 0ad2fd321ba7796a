import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Tool } from '../../src/tools/tool.decorator';
import { ToolError } from '../../src/tools/tool-error';
import { listed, mentioned, NOTE } from './mention';
import { MONTHS, RECYCLABLES, REGIONS } from './recyclable-prices.data';

const item_name = z
  .string()
  .min(1)
  .max(1_000)
  .describe('The recyclable, in Korean or English, e.g. 고철.');
const region = z
  .string()
  .max(200)
  .optional()
  .describe('E.g. 수도권. Default: the whole country.');

const trend = z.object({ item_name, region });
const latest = z.object({
  item_name: item_name.optional().describe('Default: all recyclables.'),
  region,
});

const UNIT = 'KRW per kg';
const annotations = { readOnlyHint: true, idempotentHint: true };

@Injectable()
export class RecyclablePricesTools {
  @Tool({
    name: 'get_price_trend',
    description:
      'Returns how the price of a recyclable has changed over the last months. 재활용품 시세 추이, 변화.',
    parameters: trend,
    annotations,
  })
  trend(args: z.infer<typeof trend>) {
    const { names, prices } = find(args.item_name);
    const { name, share } = regionOf(args.region);
    const months = MONTHS.map((month, at) => ({
      month,
      price: Math.round(prices[at] * share),
    }));
    const [first, last] = [prices[0], prices.at(-1)!];
    return {
      item: names[0],
      region: name,
      unit: UNIT,
      months,
      change_percent: Math.round((last / first - 1) * 1_000) / 10,
      note: NOTE,
    };
  }

  @Tool({
    name: 'get_latest_prices',
    description:
      'Returns the current prices of recyclables. 오늘의 재활용품 시세, 현재 가격.',
    parameters: latest,
    annotations,
  })
  latest(args: z.infer<typeof latest>) {
    const { name, share } = regionOf(args.region);
    const wanted = args.item_name ? [find(args.item_name)] : RECYCLABLES;
    return {
      month: MONTHS.at(-1),
      region: name,
      unit: UNIT,
      prices: wanted.map(({ names, prices }) => ({
        item: names[0],
        price: Math.round(prices.at(-1)! * share),
      })),
      note: NOTE,
    };
  }
}

function find(text: string) {
  const found = mentioned(text, RECYCLABLES);
  if (found) return found;
  throw new ToolError(
    'NOT_FOUND',
    `The example data has only these recyclables: ${listed(RECYCLABLES)}.`,
  );
}

/** A region without data gets the prices of the whole country. */
function regionOf(text = ''): { name: string; share: number } {
  const { names, share } = mentioned(text, REGIONS) ?? REGIONS[0];
  return { name: names[0], share };
}
