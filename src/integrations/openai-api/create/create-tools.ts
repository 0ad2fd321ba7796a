import type { Tool } from 'openai/resources/responses/responses';
import { z } from 'zod';
import {
  type HostedTools,
  isPrivate,
} from '../../../config/files/hosted-tools';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { UNSUPPORTED, unsupported } from './unsupported';

const ignored = z.unknown().optional();

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
  require_approval: z.literal('never', UNSUPPORTED),
  allowed_tools: unsupported,
  authorization: unsupported,
  connector_id: unsupported,
  headers: unsupported,
});
const codeInterpreter = z
  .strictObject({ type: z.literal('code_interpreter'), container: ignored })
  // What the operator has configured; that of the request may hold secrets.
  .transform(({ type }) => ({ type, container: { type: 'auto' } }));

const BY_TYPE = new Map<string, z.ZodType>([
  ['file_search', fileSearch],
  ['mcp', mcp],
  ['code_interpreter', codeInterpreter],
]);

/** One hosted tool. A type that research has no use for is refused by the pattern of the first. */
export const hostedTool = z
  .looseObject({ type: z.string().max(100) })
  .transform((given, context): Tool => {
    const shape = BY_TYPE.get(given.type) ?? webSearch;
    const { data, error } = shape.safeParse(given);
    for (const issue of error?.issues ?? [])
      context.issues.push(issue as never);
    return data as Tool;
  });

/** What the named tools may search, as `data_sources` has it. @throws OpenAiRefusal for a tool that is not configured. */
export function dataSourcesOf(
  tools: readonly Tool[],
  hosted: HostedTools,
): 'web' | 'private' | 'web_then_private' | undefined {
  const faults = tools.map((tool) => faultOf(tool, hosted));
  const at = faults.findIndex((fault) => fault !== undefined);
  if (at >= 0)
    throw new OpenAiRefusal(
      'unsupported_value',
      `tools[${at}].${faults[at]} is not configured for research on this service.`,
      `tools[${at}].${faults[at]}`,
    );
  const isOwn = ({ type }: Tool) => type === 'file_search' || type === 'mcp';
  const web = tools.some(({ type }) => type.startsWith('web_search'));
  if (tools.some(isOwn)) return web ? 'web_then_private' : 'private';
  return web ? 'web' : undefined;
}

/** The field that names what this service does not have. */
function faultOf(tool: Tool, { tools, research }: HostedTools) {
  const ofResearch = (name: string) =>
    research.includes(name) ? tools.get(name) : undefined;
  if (tool.type === 'code_interpreter')
    return ofResearch(tool.type) ? undefined : 'type';
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
