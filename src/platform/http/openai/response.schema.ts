import { z } from 'zod';

/** Functions of the caller in a request, as with OpenAI. */
export const MAX_FUNCTIONS = 128;

/** What is a hint, or what many clients always send: without effect. */
export const ignored = z.unknown().optional();

/** Hints of a request for a response that no kind of model here takes. */
export const hints = {
  access_programs: ignored,
  frequency_penalty: ignored,
  presence_penalty: ignored,
  prompt_cache_key: ignored,
  prompt_cache_options: ignored,
  prompt_cache_retention: ignored,
  safety_identifier: ignored,
  service_tier: ignored,
  stream_options: ignored,
  truncation: ignored,
  user: ignored,
};

export const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'has more than 16 keys')
  .nullish();

const summary = z.enum(['auto', 'concise', 'detailed']).nullish();

/** @param effort what the models take. */
export const reasoning = <Effort extends z.ZodType>(effort: Effort) =>
  z
    .strictObject({
      effort,
      summary,
      generate_summary: summary,
      context: ignored,
      mode: ignored,
    })
    .nullish();

/** `input` as items: a text is a message of the user, and an item without a type is a message. */
export const asItems = (given: unknown): unknown =>
  typeof given === 'string' ? [{ role: 'user', content: given }] : given;
export const asItem = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !('type' in given)
    ? { ...given, type: 'message' }
    : given;

/** The types of items of an earlier output or of its tools, other than messages and calls of functions with their results. */
export const OTHER_ITEMS = [
  'additional_tools',
  'apply_patch_call',
  'apply_patch_call_output',
  'code_interpreter_call',
  'compaction',
  'computer_call',
  'computer_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'file_search_call',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'mcp_list_tools',
  'program',
  'program_output',
  'reasoning',
  'shell_call',
  'shell_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
] as const;
