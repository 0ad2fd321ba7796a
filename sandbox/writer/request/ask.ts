import type {
  FunctionTool,
  ResponseCreateParams,
  ResponseFormatTextConfig,
  ResponseInputItem,
  Tool,
  WebSearchTool,
} from 'openai/resources/responses/responses';

/** The effect of tool_choice on function tools. */
export type Choice = 'auto' | 'none' | 'required' | { name: string };

/** One request in the form of the writer, whichever endpoint received it. */
export interface Ask {
  model: string;
  instructions: string;
  /** The whole context, oldest first: earlier responses, then this request's input. */
  items: ResponseInputItem[];
  functions: FunctionTool[];
  choice: Choice;
  parallel: boolean;
  /** Kinds of the hosted tools, e.g. `web_search`, without their version. */
  hosted: string[];
  /** Whether the model may search the bundled corpus, or only these domains of it. */
  canSearch: boolean;
  domains?: string[];
  mcpServers: McpServer[];
  maxSearches: number;
  format: ResponseFormatTextConfig;
  maxOutputTokens: number;
  /** Of the functions as the model reads them; none counts until the server is known. */
  toolTokens?: number;
  /** Tokens that the model thinks before it answers. */
  thinks?: number;
  wantsSources: boolean;
  wantsResults: boolean;
  wantsSummaries: boolean;
}

export interface McpServer {
  label: string;
  allowedTools?: string[];
  /** Its tools may be called without approval. */
  approved: boolean;
}

const HOSTED = /^(web_search|file_search$|mcp$|code_interpreter$)/;

export const isResearchModel = (model: string) =>
  model.includes('deep-research');

export const isReasoningModel = (model: string) =>
  isResearchModel(model) || /^(o\d|gpt-[56])/.test(model);

/** A research run is what costs dollars upstream: hosted tools, a research model, or background mode. */
export function isResearch(params: ResponseCreateParams): boolean {
  const tools = params.tools ?? [];
  return (
    params.background === true ||
    isResearchModel(params.model ?? '') ||
    (tools.some((tool) => HOSTED.test(tool.type)) &&
      !tools.some((tool) => tool.type === 'function'))
  );
}

export function askOf(
  params: ResponseCreateParams,
  items: ResponseInputItem[],
): Ask {
  const tools = params.tools ?? [];
  return {
    model: params.model ?? '',
    instructions: params.instructions ?? '',
    items,
    functions: tools.filter((tool) => tool.type === 'function'),
    choice: choiceOf(params.tool_choice),
    parallel: params.parallel_tool_calls !== false,
    ...hostedIn(tools),
    maxSearches: params.max_tool_calls ?? Infinity,
    format: params.text?.format ?? { type: 'text' },
    maxOutputTokens: params.max_output_tokens ?? Infinity,
    wantsSources:
      params.include?.includes('web_search_call.action.sources') ?? false,
    wantsResults: params.include?.includes('file_search_call.results') ?? false,
    wantsSummaries: Boolean(params.reasoning?.summary),
  };
}

function hostedIn(
  tools: Tool[],
): Pick<Ask, 'hosted' | 'canSearch' | 'domains' | 'mcpServers'> {
  const hosted = tools
    .filter(({ type }) => type !== 'function')
    .map(({ type }) => type.replace(/^web_search.*/, 'web_search'));
  const web = tools.find(({ type }) => type === 'web_search') as
    WebSearchTool | undefined;
  return {
    hosted,
    canSearch: hosted.includes('web_search'),
    domains: web?.filters?.allowed_domains ?? undefined,
    mcpServers: tools.flatMap((tool) =>
      tool.type === 'mcp'
        ? {
            label: tool.server_label,
            ...(Array.isArray(tool.allowed_tools) && {
              allowedTools: tool.allowed_tools,
            }),
            approved: tool.require_approval === 'never',
          }
        : [],
    ),
  };
}

function choiceOf(choice: ResponseCreateParams['tool_choice']): Choice {
  if (choice === undefined) return 'auto';
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return { name: choice.name };
  if (choice.type === 'allowed_tools') return choice.mode;
  return 'auto';
}
