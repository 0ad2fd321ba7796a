import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { badRequest } from '../wire/api-error';
import { isResearchModel } from '../writer/request/ask';
import type { Settings } from '../control/settings';
import { checkName, checkToolCount } from './limits';
import { checkStrictSchema } from './strict-schema';
import {
  checkHosted,
  checkHostedOfResearch,
  isBridged,
} from './validate-hosted';

const DATA_SOURCE = /^(web_search_preview|file_search$|mcp$)/;
const RESEARCH_TOOL =
  /^(web_search_preview|file_search$|mcp$|code_interpreter$)/;

export function checkTools(
  params: ResponseCreateParams,
  settings: Settings,
): void {
  const tools = params.tools ?? [];
  checkToolCount(tools);
  const bridged = isBridged(params.model ?? '', settings);
  tools.forEach((tool, index) => {
    const at = `tools[${index}]`;
    if (tool.type === 'function') checkFunction(tool, at);
    else checkHosted(tool, at, bridged);
  });
  if (isResearchModel(params.model ?? '')) checkResearchModel(params);
  checkChoice(params);
  const format = params.text?.format;
  if (format?.type === 'json_schema' && format.strict === true)
    checkStrictSchema(
      format.schema,
      `response_format '${format.name}'`,
      'text.format.schema',
      'invalid_json_schema',
    );
}

/** `at` is the path of the object that holds `name` and `parameters`. */
export function checkFunction(
  tool: { name: string; parameters?: object | null; strict?: boolean | null },
  at: string,
): void {
  checkName(tool.name, `${at}.name`);
  if (tool.strict === true)
    checkStrictSchema(
      tool.parameters,
      `function '${tool.name}'`,
      `${at}.parameters`,
      'invalid_function_parameters',
    );
}

function checkResearchModel(params: ResponseCreateParams): void {
  const tools = params.tools ?? [];
  if (tools.some((tool) => !RESEARCH_TOOL.test(tool.type)))
    throw badRequest(
      "Deep research models only support the 'web_search_preview', 'code_interpreter', 'mcp', and 'file_search' tools.",
      'tools',
    );
  if (!tools.some((tool) => DATA_SOURCE.test(tool.type)))
    throw badRequest(
      "Deep research models require at least one of 'web_search_preview', 'mcp', or 'file_search' tools.",
      'tools',
    );
  if (params.text?.format?.type === 'json_schema')
    throw badRequest(
      "Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.",
      'text.format',
    );
  const effort = params.reasoning?.effort;
  if (effort && effort !== 'medium')
    throw onlyMedium('reasoning.effort', effort, params.model ?? '');
  tools.forEach((tool, index) => {
    const at = `tools[${index}]`;
    checkHostedOfResearch(tool, at);
    if (!('search_context_size' in tool)) return;
    const size = tool.search_context_size;
    if (size && size !== 'medium')
      throw onlyMedium(`${at}.search_context_size`, size, params.model ?? '');
  });
}

const onlyMedium = (param: string, value: string, model: string) =>
  badRequest(
    `Unsupported value: '${value}' is not supported with the '${model}' model. Supported values are: 'medium'.`,
    param,
    'unsupported_value',
  );

function checkChoice({ tool_choice, tools = [] }: ResponseCreateParams): void {
  if (typeof tool_choice !== 'object' || tool_choice === null) return;
  if (tool_choice.type === 'allowed_tools') return;
  const wanted =
    'name' in tool_choice && tool_choice.name
      ? tool_choice.name
      : tool_choice.type;
  const offered = tools.some(
    (tool) => tool.type === wanted || ('name' in tool && tool.name === wanted),
  );
  if (!offered)
    throw badRequest(
      `Tool choice '${wanted}' not found in 'tools' parameter.`,
      'tool_choice',
    );
}
