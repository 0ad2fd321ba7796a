import { z } from 'zod';
import type {
  EmbeddingInput,
  EmbeddingRequest,
} from '../../llm/embeddings/embeddings.client';
import { refusalOf } from '../../platform/http/openai/request-refusal';

/** As with OpenAI. How many tokens each may have depends on the model, so that the endpoint says it. */
const MAX_ITEMS = 2_048;

interface Fault {
  message: string;
  /** Of the item at fault. */
  path?: number[];
}

const embeddingBody = z.strictObject({
  model: z.string().min(1).max(256),
  input: z.unknown().superRefine((input, context) => {
    const fault = faultOf(input);
    if (fault) context.addIssue({ code: 'custom', ...fault });
  }),
  dimensions: z.int().min(1).max(100_000).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().max(512).nullish(),
});

/** Null means absent. @throws OpenAiRefusal that names the first parameter at fault. */
export function readEmbeddingBody(body: unknown): EmbeddingRequest {
  const { data, error } = embeddingBody.safeParse(body);
  if (error) throw refusalOf(error, body);
  const { model, input, dimensions, encoding_format, user } = data;
  return {
    model,
    input: input as EmbeddingInput,
    ...(dimensions && { dimensions }),
    ...(encoding_format && { encoding_format }),
    ...(user && { user }),
  };
}

export function hasTexts(
  input: EmbeddingInput,
): input is Extract<EmbeddingInput, string | string[]> {
  return typeof input === 'string' || typeof input[0] === 'string';
}

/** By hand: a union of lists is tried branch by branch, with an issue for each of thousands of items. */
function faultOf(input: unknown): Fault | undefined {
  if (typeof input === 'string' || !Array.isArray(input))
    return isText(input) ? undefined : { message: FORM };
  const items: readonly unknown[] = input;
  const fits = [isText, isToken, isTokens].find((one) => one(items[0]));
  if (!fits) return { message: FORM };
  if (fits !== isToken && items.length > MAX_ITEMS)
    return { message: `it has more than ${MAX_ITEMS} items` };
  const at = items.findIndex((item) => !fits(item));
  return at < 0 ? undefined : { message: ITEM, path: [at] };
}

const FORM =
  'it must be a text that is not empty, a list of such texts, or token ids of one text or of several';
const ITEM = 'it must be of the kind of the first item, and not empty';

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isToken(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isTokens(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isToken);
}
