import type { Tool } from 'openai/resources/responses/responses';
import { z } from 'zod';
import {
  type HostedTools,
  isPrivate,
} from '../../../config/files/hosted-tools';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import type { Notice } from '../response-request';
import { UNSUPPORTED, unsupported } from './unsupported';

const ignored = z.unknown().optional();
const NOT_CONFIGURED = 'is not configured for research on this service';

const webSearch = z.strictObject({
  type: z
    .string()
    .regex(/^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/, UNSUPPORTED),
  search_context_size: z.enum(['low', 'medium', 'high']).nullish(),
  search_content_types: unsupported,
  filters: unsupported,
  user_location: unsupported,
});
const fileSearch = z.strictObject({
  type: z.literal('file_search'),
  vector_store_ids: z.array(z.string().max(200)).max(100).default([]),
  filters: unsupported,
  max_num_results: unsupported,
  ranking_options: unsupported,
});
const mcp = z.strictObject({
  type: z.literal('mcp'),
  server_label: z.string().max(200),
  server_url: z.string().max(2_048).nullish(),
  server_description: ignored,
  require_approval: z.literal(
    'never',
    `${UNSUPPORTED}, which wait for no approval: set it to "never"`,
  ),
  allowed_tools: unsupported,
  authorization: unsupported,
  connector_id: unsupported,
  headers: unsupported,
});
const codeInterpreter = z
  .strictObject({ type: z.literal('code_interpreter'), container: ignored })
  // What the operator has configured; that of the request may hold secrets.
  .transform(({ type }) => ({ type, container: { type: 'auto' } }));

/** What the caller executes, with whatever settings. */
const OF_CALLER = [
  'apply_patch',
  'computer',
  'computer_use_preview',
  'custom',
  'function',
  'local_shell',
  'namespace',
  'programmatic_tool_calling',
  'shell',
  'tool_search',
];
const other = z.looseObject({ type: z.string() });

const BY_TYPE = new Map<string, z.ZodType>([
  ['file_search', fileSearch],
  ['mcp', mcp],
  ['code_interpreter', codeInterpreter],
  ['image_generation', other],
  ...OF_CALLER.map((type) => [type, other] as const),
]);

/** One tool. A type that OpenAI does not have is refused by the pattern of the first. */
export const anyTool = z
  .looseObject({ type: z.string().max(100) })
  .transform((given, context): Tool => {
    const shape = BY_TYPE.get(given.type) ?? webSearch;
    const { data, error } = shape.safeParse(given);
    for (const issue of error?.issues ?? [])
      context.issues.push(issue as never);
    return data as Tool;
  });

/** The tools that research has, and a notice of each type that a report can do without. */
export function offeredTools(
  given: readonly Tool[],
  { research }: HostedTools,
): { tools: Tool[]; notices: Notice[] } {
  const leftOut = ({ type }: Tool): string | undefined => {
    if (OF_CALLER.includes(type))
      return 'research models call nothing of the caller; chat models call functions';
    if (type === 'image_generation') return 'research makes no images';
    return type === 'code_interpreter' && !research.includes(type)
      ? `it ${NOT_CONFIGURED}, which RELAY_HOSTED_TOOLS_CONFIG does`
      : undefined;
  };
  const reasons = new Map(
    given.flatMap((tool) => {
      const reason = leftOut(tool);
      return reason ? [[tool.type, reason] as const] : [];
    }),
  );
  return {
    tools: given.filter(({ type }) => !reasons.has(type)),
    notices: [...reasons].map(([type, reason]) => ({
      param: 'tools',
      message: `Tools of the type '${type}' were left out: ${reason}.`,
    })),
  };
}

/** @throws OpenAiRefusal for a choice of a tool that is not among these: it could not be kept. */
export function checkChoice(
  choice: string | { type: string } | null | undefined,
  tools: readonly Tool[],
): void {
  if (typeof choice !== 'object' || choice === null) return;
  if (tools.some(({ type }) => type === choice.type)) return;
  throw new OpenAiRefusal(
    'unsupported_parameter',
    `Unsupported parameter: 'tool_choice' cannot force a tool of the type '${choice.type.slice(0, 100)}', which this research does not have. Leave the choice to the model, or use a chat model for functions.`,
    'tool_choice',
  );
}

/**
 * What the named tools may search, as `data_sources` has it. Another source is no substitute for one that is not
 * configured: the report would be about something else.
 * @throws OpenAiRefusal for a source that is not configured.
 */
export function dataSourcesOf(
  given: readonly Tool[],
  hosted: HostedTools,
): 'web' | 'private' | 'web_then_private' | undefined {
  for (const [at, tool] of given.entries()) {
    const fault = faultOf(tool, hosted);
    if (fault === undefined) continue;
    const param = `tools[${at}].${fault}`;
    throw new OpenAiRefusal(
      'unsupported_value',
      `The tool '${tool.type}' of '${param}' ${NOT_CONFIGURED}: its operator sets it with RELAY_HOSTED_TOOLS_CONFIG.`,
      param,
    );
  }
  const isOwn = ({ type }: Tool) => type === 'file_search' || type === 'mcp';
  const web = given.some(({ type }) => type.startsWith('web_search'));
  if (given.some(isOwn)) return web ? 'web_then_private' : 'private';
  return web ? 'web' : undefined;
}

/** The field that names what this service does not have. */
function faultOf(tool: Tool, { tools, research }: HostedTools) {
  const ofResearch = (name: string) =>
    research.includes(name) ? tools.get(name) : undefined;
  if (tool.type === 'mcp') {
    const own = ofResearch(`mcp:${tool.server_label}`);
    if (own?.kind !== 'mcp' || !isPrivate(own.kind)) return 'server_label';
    return (tool.server_url ?? own.url) === own.url ? undefined : 'server_url';
  }
  if (tool.type !== 'file_search') return undefined;
  const own = ofResearch('file_search');
  const known = own?.kind === 'file_search' ? own.vectorStoreIds : [];
  return tool.vector_store_ids.every((id) => known.includes(id))
    ? undefined
    : 'vector_store_ids';
}
