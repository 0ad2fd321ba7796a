import type {
  FunctionTool,
  ResponseCreateParams,
  ResponseFormatTextConfig,
  ResponseInputItem,
} from 'openai/resources/responses/responses';

/** What the tool_choice of a request comes down to for function tools. */
export type Choice = 'auto' | 'none' | 'required' | { name: string };

/** One request as the writer sees it, whichever endpoint it came in by. */
export interface Ask {
  model: string;
  instructions: string;
  /** The whole context, oldest first: earlier responses, then this request's input. */
  items: ResponseInputItem[];
  functions: FunctionTool[];
  choice: Choice;
  parallel: boolean;
  /** The model may search the (bundled) web. */
  canSearch: boolean;
  maxSearches: number;
  format: ResponseFormatTextConfig;
  maxOutputTokens: number;
  wantsSources: boolean;
  wantsSummaries: boolean;
}

const HOSTED = /^(web_search|file_search$|mcp$|code_interpreter$)/;

export const isResearchModel = (model: string) =>
  model.includes('deep-research');

export const isReasoningModel = (model: string) =>
  isResearchModel(model) || /^(o\d|gpt-[56])/.test(model);

/** A research run is what costs dollars upstream: hosted tools, a research model, or anything sent to the background. */
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
    canSearch: tools.some((tool) => HOSTED.test(tool.type)),
    maxSearches: params.max_tool_calls ?? Infinity,
    format: params.text?.format ?? { type: 'text' },
    maxOutputTokens: params.max_output_tokens ?? Infinity,
    wantsSources:
      params.include?.includes('web_search_call.action.sources') ?? false,
    wantsSummaries: Boolean(params.reasoning?.summary),
  };
}

function choiceOf(choice: ResponseCreateParams['tool_choice']): Choice {
  if (choice === undefined) return 'auto';
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return { name: choice.name };
  if (choice.type === 'allowed_tools') return choice.mode;
  return 'auto';
}
