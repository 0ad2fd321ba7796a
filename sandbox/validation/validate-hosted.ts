import type { Tool } from 'openai/resources/responses/responses';
import type { Settings } from '../control/settings';
import { isPlain } from '../plain/plain-models';
import { badRequest } from '../wire/api-error';
import { missing } from './refusals';

const BRIDGED =
  /(^|\/)(gpt-oss|llama|mi[sx]tral|qwen|gemma|phi|deepseek|claude|gemini)/i;
const TYPES =
  /^(web_search(_preview)?(_\d{4}_\d{2}_\d{2})?|file_search|code_interpreter|image_generation|mcp|custom)$/;

/** Whether the gateway uses Chat Completions with the model, which has no hosted tools. */
export const isBridged = (model: string, { models }: Settings) =>
  !(models[model]?.hosted ?? !(BRIDGED.test(model) || isPlain(model)));

export function checkHosted(tool: Tool, at: string, bridged: boolean): void {
  if (bridged || !TYPES.test(tool.type))
    throw badRequest(
      `Invalid value: '${tool.type}'. Supported values are: 'function' and 'custom'.`,
      `${at}.type`,
      'invalid_value',
    );
  switch (tool.type) {
    case 'file_search':
      if (!tool.vector_store_ids?.length)
        throw missing(`${at}.vector_store_ids`);
      break;
    case 'code_interpreter':
      if (!tool.container) throw missing(`${at}.container`);
      break;
    case 'mcp':
      if (!tool.server_label) throw missing(`${at}.server_label`);
      if (!tool.server_url && !tool.connector_id)
        throw missing(`${at}.server_url`);
      break;
    case 'web_search':
      tool.filters?.allowed_domains?.forEach((domain, n) => {
        if (!/^[a-z0-9.-]+$/i.test(domain))
          throw badRequest(
            `Invalid '${at}.filters.allowed_domains[${n}]': expected a domain without a scheme.`,
            `${at}.filters.allowed_domains[${n}]`,
            'invalid_value',
          );
      });
  }
}

/** A deep-research model accepts its tools almost without settings. */
export function checkHostedOfResearch(tool: Tool, at: string): void {
  const unsupported = (field: string) =>
    badRequest(
      `Unsupported parameter: '${at}.${field}' is not supported with this model.`,
      `${at}.${field}`,
      'unsupported_parameter',
    );
  if ('user_location' in tool && tool.user_location)
    throw unsupported('user_location');
  if (tool.type === 'file_search') {
    const more = Object.keys(tool).find(
      (field) => !['type', 'vector_store_ids'].includes(field),
    );
    if (more) throw unsupported(more);
    if (tool.vector_store_ids.length > 2)
      throw badRequest(
        `Invalid '${at}.vector_store_ids': array too long. Expected an array with maximum length 2, but got an array with length ${tool.vector_store_ids.length} instead.`,
        `${at}.vector_store_ids`,
        'array_above_max_length',
      );
  }
  if (tool.type === 'mcp' && tool.require_approval !== 'never')
    throw badRequest(
      "Deep research models require 'require_approval' of MCP tools to be 'never'.",
      `${at}.require_approval`,
    );
}
