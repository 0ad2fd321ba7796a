import type { Response } from 'openai/resources/responses/responses';
import type { PriceTable } from '../../llm/prices/price-table';
import { costIn } from '../../llm/upstream/reply-fields';
import type { Cost, Usage } from '../../runs/record/run';

/**
 * What a run of the model endpoint cost: what the gateway reports, else its tokens at the configured prices. The fees of
 * hosted tools are part of the former alone. Undefined if neither is known.
 */
export function costOf(
  { usage: reported, model }: Pick<Response, 'usage' | 'model'>,
  usage: Usage | null,
  prices: PriceTable,
): Cost | undefined {
  const byGateway = costIn(reported);
  const spent =
    byGateway ?? (usage ? prices.cost(model ?? '', usage) : undefined);
  if (spent === undefined) return undefined;
  const source = byGateway === undefined ? 'prices' : 'gateway';
  return { currency: 'USD', estimated: null, reserved: null, spent, source };
}
