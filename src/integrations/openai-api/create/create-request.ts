import { z } from 'zod';
import type { HostedTools } from '../../../config/files/hosted-tools';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { refusalOf } from '../../../platform/http/openai/request-refusal';
import {
  hints,
  ignored,
  metadata,
  reasoning,
} from '../../../platform/http/openai/response.schema';
import { MAX_QUESTION_CHARS } from '../../../platform/message/message';
import type { Mode } from '../../../runs/record/run';
import { invocationIdOf } from '../response-id';
import type { Notice, ResponseRequest, TextFormat } from '../response-request';
import {
  createInput,
  type CreateMessage,
  filesOf,
  messagesOf,
  questionOf,
} from './create-input';
import {
  anyTool,
  checkChoice,
  dataSourcesOf,
  offeredTools,
} from './create-tools';
import { UNSUPPORTED, unsupported } from './unsupported';

const format = z
  .discriminatedUnion('type', [
    z
      .looseObject({ type: z.literal('text') })
      .transform(({ type }) => ({ type })),
    z
      .looseObject({ type: z.literal('json_object') })
      .transform(({ type }) => ({ type })),
    z
      .looseObject({
        type: z.literal('json_schema'),
        name: z.string(),
        schema: z.record(z.string(), z.unknown()),
        strict: z.boolean().nullish(),
      })
      .transform(({ type, name, schema, strict }) => ({
        type,
        name,
        schema,
        strict: strict ?? true,
      })),
  ])
  .nullish();

const DEPTH_OF_EFFORT = {
  none: 'quick',
  minimal: 'quick',
  low: 'quick',
  medium: 'standard',
  high: 'deep',
  xhigh: 'deep',
  max: 'deep',
} as const;
type Effort = keyof typeof DEPTH_OF_EFFORT;

const createSchema = z.strictObject({
  model: z.string(),
  input: createInput,
  instructions: z.string().max(MAX_QUESTION_CHARS).nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  metadata,
  tools: z.array(anyTool).max(128).nullish(),
  // What must be called is the research.
  tool_choice: z
    .union(
      [z.enum(['auto', 'required']), z.looseObject({ type: z.string() })],
      `${UNSUPPORTED}, which always search: use a chat model to answer without tools`,
    )
    .nullish(),
  include: z
    .array(
      // The second is for the items of a stateless program; those of research hold nothing that it would need.
      z.enum(
        ['web_search_call.action.sources', 'reasoning.encrypted_content'],
        UNSUPPORTED,
      ),
    )
    .max(10)
    .nullish(),
  reasoning: reasoning(
    z.enum(Object.keys(DEPTH_OF_EFFORT) as [Effort]).nullish(),
  ),
  max_tool_calls: z.int().min(1).max(1_000).nullish(),
  previous_response_id: z.string().max(200).nullish(),
  text: z.strictObject({ format, verbosity: ignored }).nullish(),
  conversation: unsupported,
  context_management: unsupported,
  image: unsupported,
  max_output_tokens: z.int().min(1).nullish(),
  moderation: unsupported,
  prompt: unsupported,
  top_logprobs: ignored,
  parallel_tool_calls: ignored,
  ...hints,
  temperature: ignored,
  top_p: ignored,
});

/** A report that is cut off has cost as much as a whole one. */
const UNLIMITED: Notice = {
  param: 'max_output_tokens',
  message:
    'max_output_tokens does not limit a report: the effort of the reasoning limits the research.',
};

/** A request for research, as a run of it takes it. */
export interface CreateRequest {
  readonly mode: Mode;
  readonly stream: boolean;
  readonly arguments: Record<string, unknown>;
  /** Without the ids of its input. */
  readonly request: Omit<ResponseRequest, 'input'>;
  readonly messages: readonly CreateMessage[];
  /** Where each of the documents was given. */
  readonly files: readonly string[];
}

/** @throws OpenAiRefusal that names the first parameter at fault. */
export function readCreate(body: unknown, hosted: HostedTools): CreateRequest {
  const { data, error } = createSchema.safeParse(body ?? {});
  if (error) throw refusalOf(error, body);
  const { input: items, instructions, max_tool_calls } = data;
  const { background, store, stream, previous_response_id: earlier } = data;
  if (background && store === false)
    throw new OpenAiRefusal(
      'invalid_value',
      'A response that runs in the background must be stored.',
      'background',
    );
  const question = questionOf(items, instructions);
  if (!question)
    throw new OpenAiRefusal(
      'invalid_value',
      "Invalid 'input': it has no message of the user.",
      'input',
    );
  const files = filesOf(items);
  const { tools, notices } = offeredTools(data.tools ?? [], hosted);
  checkChoice(data.tool_choice, tools);
  const sources = dataSourcesOf(data.tools ?? [], hosted);
  if (data.max_output_tokens) notices.push(UNLIMITED);
  const text: TextFormat = data.text?.format ?? { type: 'text' };
  const effort = data.reasoning?.effort;
  const previous = earlier ? previousOf(earlier) : undefined;
  return {
    mode: modeOf(background, stream),
    stream: stream ?? false,
    messages: messagesOf(items),
    files: files.map(({ path }) => path),
    arguments: {
      ...question,
      ...(files.length > 0 && {
        documents: files.map(({ document }) => document),
      }),
      deliverable_format: 'markdown_report',
      ...(text.type !== 'text' && { text_format: text }),
      ...(sources && { data_sources: sources }),
      ...(effort && { depth: DEPTH_OF_EFFORT[effort] }),
      ...(max_tool_calls && { budget: { max_searches: max_tool_calls } }),
      ...(previous && { previous_invocation_id: previous }),
    },
    request: {
      model: data.model,
      instructions: instructions ?? null,
      background: background ?? false,
      store: store ?? true,
      metadata: data.metadata ?? {},
      tools,
      include: data.include ?? [],
      reasoning: data.reasoning
        ? { effort: effort ?? null, summary: data.reasoning.summary ?? null }
        : null,
      maxToolCalls: max_tool_calls ?? null,
      previousResponseId: earlier ?? null,
      format: text,
      ...(notices.length > 0 && { notices }),
    },
  };
}

export function previousNotFound(): OpenAiRefusal {
  return new OpenAiRefusal(
    'previous_response_not_found',
    'There is no finished research of this API key with this id.',
    'previous_response_id',
  );
}

function previousOf(responseId: string): string {
  const id = invocationIdOf(responseId);
  if (id === undefined) throw previousNotFound();
  return id;
}

function modeOf(background?: boolean | null, stream?: boolean | null): Mode {
  if (background) return 'background';
  return stream ? 'stream' : 'foreground';
}
