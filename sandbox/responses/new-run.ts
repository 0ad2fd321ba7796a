import type {
  ResponseCreateParams,
  ResponseInputItem,
  Tool,
} from 'openai/resources/responses/responses';
import { askOf, isResearch } from '../writer/request/ask';
import { isSlow } from '../plain/plain-models';
import type { Fault } from '../control/fault';
import { newResponseId } from '../wire/ids';
import { asRead } from './as-read';
import { withinContext } from './context-limit';
import { planRun } from './plan';
import type { WireResponse } from './run';
import { Run } from './run';
import { scriptOf } from './script';
import type { SandboxState } from '../state';

const NEVER = new AbortController().signal;

/** A run that has not started; `context` is the whole conversation, `own` the part of this request. */
export function newRun(
  params: ResponseCreateParams,
  own: ResponseInputItem[],
  context: ResponseInputItem[],
  faults: Fault[],
  { settings, faults: book }: SandboxState,
): Run {
  const long = isResearch(params) || isSlow(params.model ?? '');
  const ms = long ? settings.research_ms : settings.turn_ms;
  const { model = '', tools = [] } = params;
  const read = asRead(
    askOf(params, context),
    { model, tools },
    'responses',
    settings,
  );
  const ask = withinContext(read, settings.context);
  const plan = planRun(ask, faults, ms);
  const id = newResponseId(settings.dialect);
  const run = new Run(
    params,
    own,
    wireResponse(id, params),
    scriptOf(plan, params.background === true),
    plan.pauseAt,
  );
  if (plan.pauseAt !== undefined)
    void book.hold(undefined, NEVER).then(() => run.resume());
  return run;
}

function wireResponse(id: string, params: ResponseCreateParams): WireResponse {
  return {
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: params.background ? 'queued' : 'in_progress',
    access_programs: null,
    background: params.background ?? false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: params.instructions ?? null,
    max_output_tokens: params.max_output_tokens ?? null,
    max_tool_calls: params.max_tool_calls ?? null,
    metadata: params.metadata ?? {},
    model: params.model ?? '',
    output: [],
    parallel_tool_calls: params.parallel_tool_calls ?? true,
    previous_response_id: params.previous_response_id ?? null,
    prompt_cache_key: params.prompt_cache_key ?? null,
    reasoning: {
      effort: params.reasoning?.effort ?? null,
      summary: params.reasoning?.summary ?? null,
    },
    safety_identifier: params.safety_identifier ?? null,
    service_tier: 'default',
    store: params.store ?? true,
    temperature: params.temperature ?? 1,
    text: {
      format: params.text?.format ?? { type: 'text' },
      verbosity: params.text?.verbosity ?? 'medium',
    },
    tool_choice: params.tool_choice ?? 'auto',
    tools: (params.tools ?? []).map(echoTool),
    top_logprobs: params.top_logprobs ?? 0,
    top_p: params.top_p ?? 1,
    truncation: params.truncation ?? 'disabled',
    usage: null,
  } as WireResponse;
}

/** Tools are returned with their defaults, without the credentials of an MCP server. */
function echoTool(tool: Tool): Tool {
  switch (tool.type) {
    case 'function':
      return { ...tool, strict: tool.strict ?? false };
    case 'mcp': {
      const { authorization: _, ...shown } = tool;
      return shown;
    }
    case 'web_search':
    case 'web_search_preview':
      return {
        ...tool,
        search_context_size: tool.search_context_size ?? 'medium',
      };
    default:
      return tool;
  }
}
