import { z } from 'zod';

/** The message of what OpenAI takes and this service cannot honour. */
export const UNSUPPORTED = 'is not supported by research models';

/** A parameter that may be absent or null alone. */
export const unsupported = z.null(UNSUPPORTED).optional();
