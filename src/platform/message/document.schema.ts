import { z } from 'zod';

/** Documents as callers pass them to a tool. */
export const documentsSchema = z
  .array(
    z.strictObject({
      title: z.string().min(1).max(1_000),
      text: z.string().min(1).max(1_000_000),
    }),
  )
  .max(100);
