import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { MaxFields } from '../../platform/http/validation/max-fields';

export class ContinueDto {
  /** Of the new invocation alone, with at least one limit: what it inherits counts against none of them. */
  @ApiProperty({
    type: 'object',
    additionalProperties: false,
    properties: {
      max_cost_usd: { type: 'number', minimum: 0, maximum: 10_000 },
      max_searches: { type: 'integer', minimum: 1, maximum: 1_000 },
      max_pages: { type: 'integer', minimum: 1, maximum: 1_000 },
      max_tokens: { type: 'integer', minimum: 1_000, maximum: 100_000_000 },
      max_seconds: { type: 'integer', minimum: 10, maximum: 86_400 },
    },
    minProperties: 1,
    example: { max_pages: 10 },
  })
  @IsObject()
  @MaxFields(20)
  budget: Record<string, unknown>;
}

/** Bodies that can be sent unchanged. */
export const CONTINUE_EXAMPLES = {
  pages: {
    summary: 'Read up to ten pages more',
    value: { budget: { max_pages: 10 } },
  },
};
