import { z } from 'zod';
import { refusalOf } from '../../platform/http/openai/request-refusal';
import {
  asItem,
  asItems,
  hints,
  ignored,
  MAX_FUNCTIONS,
  metadata,
  OTHER_ITEMS,
  reasoning,
} from '../../platform/http/openai/response.schema';

const UNSUPPORTED = 'is not supported by chat models';
const MAX_TEXT = 1_000_000;

/** May be absent or null alone. */
const unsupported = z.null(UNSUPPORTED).optional();

const text = z.string().max(MAX_TEXT);
const textPart = z.looseObject({
  type: z.enum(['input_text', 'output_text', 'text']),
  text,
});
const part = z.discriminatedUnion(
  'type',
  [
    textPart,
    z.looseObject({ type: z.literal('refusal'), refusal: text }),
    z.looseObject({
      type: z.literal('input_image'),
      image_url: z.string().regex(/^(https?:\/\/|data:image\/)/),
    }),
  ],
  'chat models take texts and images alone; research models take files too',
);
const asParts = (content: unknown): unknown =>
  typeof content === 'string'
    ? [{ type: 'input_text', text: content }].filter(({ text }) => text !== '')
    : content;
const callId = z.string().min(1).max(255);

const item = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.literal('message'),
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content: z.preprocess(asParts, z.array(part).max(100)),
    }),
    z.looseObject({
      type: z.literal('function_call'),
      call_id: callId,
      name: z.string().max(64),
      arguments: text,
    }),
    z.looseObject({
      type: z.literal('function_call_output'),
      call_id: callId,
      output: z.union([text, z.array(textPart).max(100)]),
    }),
    // Of an earlier output, which a program hands back whole: what it gave is in the texts.
    z.looseObject({ type: z.enum(OTHER_ITEMS) }),
  ],
  UNSUPPORTED,
);

const fn = z.looseObject({
  type: z.literal('function', UNSUPPORTED),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().max(16_384).nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

const choice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string().max(64) }),
]);

const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().max(16_384).nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

const responseSchema = z.strictObject({
  model: z.string().min(1).max(256),
  input: z.preprocess(
    asItems,
    z.array(z.preprocess(asItem, item)).min(1).max(1_000),
  ),
  instructions: text.nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(fn).max(MAX_FUNCTIONS).nullish(),
  tool_choice: choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(1).max(10_000_000).nullish(),
  reasoning: reasoning(z.string().max(32).nullish()),
  text: z
    .strictObject({ format: format.nullish(), verbosity: ignored })
    .nullish(),
  metadata,
  background: z.literal(false, UNSUPPORTED).nullish(),
  include: z
    .array(z.literal('reasoning.encrypted_content', UNSUPPORTED))
    .max(10)
    .nullish(),
  conversation: unsupported,
  context_management: unsupported,
  image: unsupported,
  max_tool_calls: unsupported,
  moderation: unsupported,
  previous_response_id: unsupported,
  prompt: unsupported,
  top_logprobs: ignored,
  // Nothing is stored, as the reply says.
  store: ignored,
  ...hints,
});

export type ChatResponseRequest = z.output<typeof responseSchema>;
export type ChatResponseItem = ChatResponseRequest['input'][number];

/** @throws OpenAiRefusal that names the first parameter at fault. */
export function readResponseRequest(body: unknown): ChatResponseRequest {
  const { data, error } = responseSchema.safeParse(body);
  if (error) throw refusalOf(error, body);
  return data;
}
