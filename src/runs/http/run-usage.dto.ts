import { ApiProperty } from '@nestjs/swagger';
import { COST_SOURCES, type CostSource } from '../record/run';

export class RunUsageDto {
  input_tokens: number;

  output_tokens: number;

  total_tokens: number;

  /** Calls of hosted tools, e.g. searches. */
  tool_calls: number;
}

/** Only where the gateway or the configured prices say what the model costs. */
export class CostDto {
  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';

  /** Of the plan, before anything is searched; null without one, in a chat, or where a model of the run has no price. */
  estimated: number | null;

  /** The most that calls under way cost. Null for hosted research and chats, and where no model of the run has a price. */
  reserved: number | null;

  spent: number;

  /** `prices`: the tokens at the configured prices, without the fees of hosted tools. */
  @ApiProperty({ enum: COST_SOURCES })
  source: CostSource;
}

export class InheritedDto {
  usage: RunUsageDto;

  /** Null where it is not known. */
  cost_usd: number | null;
}
