import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Tool } from '../../src/tools/tool.decorator';
import { ToolError } from '../../src/tools/tool-error';
import { BOOKING, DISTRICTS, ITEMS } from './bulk-waste.data';
import { listed, mentioned, NOTE } from './mention';

const parameters = z.object({
  item_name: z
    .string()
    .min(1)
    .max(1_000)
    .describe('The item, in Korean or English, e.g. 소파.'),
  region: z
    .string()
    .max(200)
    .optional()
    .describe(
      'The district, e.g. 마포구. Default: the rules of most districts.',
    ),
});

@Tool({
  name: 'search_disposal_info',
  description:
    'Looks up the disposal of a large item: the fee of each size, and how to book its pick-up. ' +
    '대형폐기물 수수료와 배출 신청 방법.',
  parameters,
  annotations: { readOnlyHint: true, idempotentHint: true },
})
@Injectable()
export class BulkWasteTool {
  run({ item_name, region }: z.infer<typeof parameters>) {
    const item = mentioned(item_name, ITEMS);
    if (!item) {
      throw new ToolError(
        'NOT_FOUND',
        `The example data has only these items: ${listed(ITEMS)}.`,
      );
    }
    const district = mentioned(region ?? item_name, DISTRICTS);
    return {
      item: item.names[0],
      region: district?.names[0] ?? null,
      fees: item.fees,
      booking: district?.booking ?? BOOKING,
      ...(item.hint && { hint: item.hint }),
      note: NOTE,
    };
  }
}
