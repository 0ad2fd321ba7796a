import { z } from 'zod';

const HOUR = 60 * 60;

/** What a request may limit. Absent fields have the limit of the depth; money is then not limited. */
export const budgetSchema = z.strictObject({
  max_cost_usd: z
    .number()
    .positive()
    .max(10_000)
    .optional()
    .describe('US dollars. Needs the prices of all models that are used.'),
  max_searches: z.number().int().min(1).max(1_000).optional(),
  max_pages: z.number().int().min(1).max(1_000).optional(),
  max_tokens: z
    .number()
    .int()
    .min(1_000)
    .max(100_000_000)
    .optional()
    .describe('Input and output of all model calls.'),
  max_seconds: z
    .number()
    .int()
    .min(10)
    .max(24 * HOUR)
    .optional(),
});

export type Budget = z.infer<typeof budgetSchema>;

export const DEPTHS = ['quick', 'standard', 'deep'] as const;
export type Depth = (typeof DEPTHS)[number];
