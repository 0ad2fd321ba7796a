import type { Settings, Wording } from '../control/settings';
import { ApiError, badRequest } from '../wire/api-error';
import { isObject } from '../wire/json';
import { groundingOf } from '../chat-completions/grounded-models';
import { unsupported } from './refusals';

type Body = Record<string, unknown>;

/** The first parameter of the request that the settings of the model refuse. */
export function checkRefused(body: unknown, { models }: Settings): void {
  if (!isObject(body) || typeof body.model !== 'string') return;
  const { refuses = [], wording = 'openai' } = models[body.model] ?? {};
  const path = refuses.find((one) => isThere(body, one.split('.')));
  if (path !== undefined) throw refusal(body, path, wording);
}

/** A model that exists only at Chat Completions is unknown to the Responses API. */
export function checkProtocol(body: unknown, { models }: Settings): void {
  if (!isObject(body) || typeof body.model !== 'string') return;
  const { model } = body;
  if (models[model]?.chat_only ?? groundingOf(model) !== undefined)
    throw new ApiError(
      404,
      'This model is only supported in v1/chat/completions and not in v1/responses.',
      'model',
    );
}

function isThere(value: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return value !== undefined;
  if (Array.isArray(value))
    return value.some(
      (item) => isObject(item) && item.type === key && isThere(item, rest),
    );
  return isObject(value) && key in value && isThere(value[key], rest);
}

function refusal(body: Body, path: string, wording: Wording): ApiError {
  const [key, type] = path.split('.');
  const at =
    key === 'tools' && type !== undefined
      ? `tools[${(body.tools as Body[]).findIndex((tool) => tool.type === type)}].type`
      : path;
  switch (wording) {
    case 'openai':
      return unsupported(at);
    case 'azure':
      return badRequest(
        `Unrecognized request argument supplied: ${path}`,
        null,
        null,
      );
    case 'litellm':
      return new ApiError(
        400,
        `litellm.UnsupportedParamsError: sandbox does not support parameters: ['${path}'], for model=${String(body.model)}. To drop these, set \`litellm.drop_params=True\` or for proxy:\n\n\`litellm_settings:\n drop_params: true\`\n`,
        'None',
        '400',
        'None',
      );
    case 'pydantic':
      return new ApiError(
        400,
        `[{'type': 'extra_forbidden', 'loc': ('body', ${path
          .split('.')
          .map((step) => `'${step}'`)
          .join(
            ', ',
          )}), 'msg': 'Extra inputs are not permitted', 'input': True}]`,
        null,
        400,
        'Bad Request',
      );
  }
}
