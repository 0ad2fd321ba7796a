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
import type { ModelProfile } from '../models/model.profile';

/** Hosted tools as one model takes them. */
export interface HostedOffer {
  tools: Tool[];
  include: ResponseIncludable[];
  /** Tools, and settings of tools, that it does not take: `image_generation`, `web_search.location`. */
  left: string[];
}

/** What is sent for the tools of these names. None that is not configured, or would wait for an approval. */
export function hostedOffer(
  names: readonly string[],
  profile: ModelProfile,
  { tools }: Pick<HostedTools, 'tools'>,
): HostedOffer {
  const offer: HostedOffer = { tools: [], include: [], left: [] };
  for (const name of names) {
    const tool = tools.get(name);
    const untrusted = tool?.kind === 'mcp' && !tool.trusted;
    if (!tool || untrusted || !profile.hosted.includes(tool.kind)) {
      offer.left.push(name);
      continue;
    }
    const takesSettings = profile.name !== 'research';
    offer.tools.push(wire(tool, takesSettings) as Tool);
    if (tool.kind === 'web_search')
      offer.include.push('web_search_call.action.sources');
    if (!takesSettings)
      offer.left.push(...settingsOf(tool).map((field) => `${name}.${field}`));
  }
  return offer;
}

function wire(tool: HostedTool, takesSettings: boolean): object {
  switch (tool.kind) {
    case 'web_search':
      // A deep-research model has a search of its own, which takes nothing but its name.
      return takesSettings
        ? { type: 'web_search', ...searchSettings(tool) }
        : { type: 'web_search_preview' };
    case 'file_search':
      return {
        type: 'file_search',
        vector_store_ids: tool.vectorStoreIds,
        ...(takesSettings &&
          tool.maxResults && { max_num_results: tool.maxResults }),
      };
    case 'code_interpreter':
      return { type: 'code_interpreter', container: { type: 'auto' } };
    case 'image_generation':
      return { type: 'image_generation' };
    case 'mcp':
      return mcp(tool);
  }
}

function searchSettings({ contextSize, allowedDomains, location }: WebSearch) {
  return {
    ...(contextSize && { search_context_size: contextSize }),
    ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
    ...(location && { user_location: { type: 'approximate', ...location } }),
  };
}

/** The endpoint keeps no secrets of a server: they go with every request. */
function mcp({ label, url, allowedTools, authorization, headers }: HostedMcp) {
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

/** Settings that only some models take. */
function settingsOf(tool: HostedTool): string[] {
  if (tool.kind !== 'web_search' && tool.kind !== 'file_search') return [];
  const { kind: _, ...settings } = tool;
  return Object.keys(settings).filter((field) => field !== 'vectorStoreIds');
}
