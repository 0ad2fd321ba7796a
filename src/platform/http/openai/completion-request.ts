import { z } from 'zod';
import { refusalOf } from './request-refusal';
import { ignored, MAX_FUNCTIONS, metadata } from './response.schema';

const UNSUPPORTED = 'is not supported with this value';
const MAX_TEXT = 1_000_000;
/** May be absent, or have one of the values that ask for nothing. */
const only = (...values: unknown[]) =>
  z
    .unknown()
    .refine(
      (given) =>
        given === undefined ||
        given === null ||
        values.some((value) => JSON.stringify(value) === JSON.stringify(given)),
      UNSUPPORTED,
    )
    .optional();

const text = z.string().max(MAX_TEXT);
const textPart = z.strictObject({
  type: z.literal('text'),
  text,
  // Of programs that also speak to Anthropic's models.
  cache_control: ignored,
});
const texts = z.union([text, z.array(textPart).max(100)]);
const name = z.string().max(255).optional();

const userPart = z.union([
  textPart,
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({
      url: z.string().regex(/^(https?:\/\/|data:image\/)/),
      detail: ignored,
    }),
    cache_control: ignored,
  }),
]);

const toolCall = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().max(64), arguments: text }),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer']),
    content: texts,
    name,
  }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([text, z.array(userPart).max(100)]),
    name,
  }),
  // As a reply has it, with all that other services add.
  z.looseObject({
    role: z.literal('assistant'),
    content: z
      .union([
        text,
        z
          .array(
            z.union([
              textPart,
              z.strictObject({ type: z.literal('refusal'), refusal: text }),
            ]),
          )
          .max(100),
      ])
      .nullish(),
    name,
    tool_calls: z.array(toolCall).max(100).nullish(),
    function_call: only(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    content: texts,
    tool_call_id: z.string().min(1).max(255),
    name,
  }),
]);

const tool = z.strictObject({
  type: z.literal('function', UNSUPPORTED),
  function: z.strictObject({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().max(16_384).nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const choice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({ name: z.string().max(64) }),
  }),
]);

const format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
      description: z.string().max(16_384).nullish(),
      schema: z.record(z.string(), z.unknown()).default({}),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const stopText = z.string().max(1_000);
/** Empty texts end nothing. */
const stop = z
  .union([stopText.transform((one) => [one]), z.array(stopText).max(4)])
  .transform((all) => all.filter((one) => one !== ''))
  .nullish();

const tokens = z.int().min(1).max(10_000_000).nullish();

/** Of every kind of model: what one of them makes nothing of, others do. */
const completionSchema = z.strictObject({
  model: z.string().min(1).max(256),
  messages: z.array(message).min(1).max(1_000),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({
      include_usage: z.boolean().nullish(),
      include_obfuscation: ignored,
    })
    .nullish(),
  tools: z.array(tool).max(MAX_FUNCTIONS).nullish(),
  tool_choice: choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  reasoning_effort: z.string().max(32).nullish(),
  response_format: format.nullish(),
  n: only(1),
  stop,
  logit_bias: only({}),
  modalities: only(['text']),
  functions: only([]),
  function_call: only('auto', 'none'),
  audio: only(),
  prediction: only(),
  web_search_options: only(),
  moderation: only(),
  // A reply may be of several turns: it has no probabilities, as its "logprobs: null" says.
  logprobs: ignored,
  top_logprobs: ignored,
  // Nothing is stored.
  store: ignored,
  presence_penalty: ignored,
  frequency_penalty: ignored,
  seed: ignored,
  user: ignored,
  metadata,
  service_tier: ignored,
  verbosity: ignored,
  safety_identifier: ignored,
  prompt_cache_key: ignored,
  prompt_cache_retention: ignored,
  prompt_cache_options: ignored,
});

export type CompletionRequest = z.output<typeof completionSchema>;
export type CompletionMessage = CompletionRequest['messages'][number];

/** @throws OpenAiRefusal that names the first parameter at fault. */
export function readCompletionRequest(body: unknown): CompletionRequest {
  const { data, error } = completionSchema.safeParse(body);
  if (error) throw refusalOf(error, body);
  return data;
}
