import type {
  ResponseIncludable,
  Tool,
} from 'openai/resources/responses/responses';
import type {
  HostedMcp,
  HostedTool,
  HostedTools,
  WebSearch,
} from '../../config/files/hosted-tools';
import type { ModelProfile } from '../models/model-profile';

/** Hosted tools in the form that one model accepts. */
export interface HostedToolset {
  tools: Tool[];
  include: ResponseIncludable[];
  /** Tools, and settings of tools, that the model does not accept: `image_generation`, `web_search.location`. */
  unsupported: string[];
}

/** The tools to send for these names. Unknown names, and tools that would wait for an approval, are omitted. */
export function hostedToolset(
  names: readonly string[],
  profile: ModelProfile,
  { tools }: Pick<HostedTools, 'tools'>,
): HostedToolset {
  const toolset: HostedToolset = { tools: [], include: [], unsupported: [] };
  for (const name of names) {
    const tool = tools.get(name);
    const untrusted = tool?.kind === 'mcp' && !tool.trusted;
    if (!tool || untrusted || !profile.hosted.includes(tool.kind)) {
      toolset.unsupported.push(name);
      continue;
    }
    const acceptsSettings = profile.name !== 'research';
    toolset.tools.push(toolParam(tool, acceptsSettings) as Tool);
    if (tool.kind === 'web_search')
      toolset.include.push('web_search_call.action.sources');
    if (!acceptsSettings)
      toolset.unsupported.push(
        ...settingsOf(tool).map((field) => `${name}.${field}`),
      );
  }
  return toolset;
}

function toolParam(tool: HostedTool, acceptsSettings: boolean): object {
  switch (tool.kind) {
    case 'web_search':
      // A deep-research model has its own search, which accepts no settings.
      return acceptsSettings
        ? { type: 'web_search', ...searchSettings(tool) }
        : { type: 'web_search_preview' };
    case 'file_search':
      return {
        type: 'file_search',
        vector_store_ids: tool.vectorStoreIds,
        ...(acceptsSettings &&
          tool.maxResults && { max_num_results: tool.maxResults }),
      };
    case 'code_interpreter':
      return { type: 'code_interpreter', container: { type: 'auto' } };
    case 'image_generation':
      return { type: 'image_generation' };
    case 'mcp':
      return mcpParam(tool);
  }
}

function searchSettings({ contextSize, allowedDomains, location }: WebSearch) {
  return {
    ...(contextSize && { search_context_size: contextSize }),
    ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
    ...(location && { user_location: { type: 'approximate', ...location } }),
  };
}

/** The endpoint does not store the secrets of a server: every request contains them. */
function mcpParam({
  label,
  url,
  allowedTools,
  authorization,
  headers,
}: HostedMcp) {
  return {
    type: 'mcp',
    server_label: label,
    server_url: url,
    require_approval: 'never',
    ...(allowedTools && { allowed_tools: allowedTools }),
    ...(authorization && { authorization }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** Settings that only some models accept. */
function settingsOf(tool: HostedTool): string[] {
  if (tool.kind !== 'web_search' && tool.kind !== 'file_search') return [];
  const { kind: _, ...settings } = tool;
  return Object.keys(settings).filter((field) => field !== 'vectorStoreIds');
}
