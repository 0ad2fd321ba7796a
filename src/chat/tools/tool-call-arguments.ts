import { isObject } from '../../platform/message/call-arguments';
import type { JsonSchema } from '../../platform/message/tool-description';
import type { Tool } from '../../tools/tool';
import { withoutNulls } from '../../tools/schemas/without-nulls';
import type { ChatRequest } from '../dto/chat.dto';

/** The arguments of the model, with those of the request that the tool accepts. */
export function completeArguments(
  { parameters, offered }: Pick<Tool, 'parameters' | 'offered'>,
  chosen: Record<string, unknown>,
  request: ChatRequest,
): Record<string, unknown> {
  const args = withoutNulls(chosen, parameters);
  for (const name of hiddenIn(parameters, offered.parameters))
    delete args[name];
  const accepted = isObject(parameters.properties) ? parameters.properties : {};
  const { system_prompt, documents, deliverable_format, time_zone } = request;
  if (accepted.system_prompt && system_prompt)
    args.system_prompt = system_prompt;
  if (accepted.documents && documents?.length) args.documents ??= documents;
  if (accepted.time_zone && time_zone) args.time_zone ??= time_zone;
  if (accepted.deliverable_format) {
    // An unknown format is ignored.
    if (!isOneOf(accepted.deliverable_format, args.deliverable_format))
      delete args.deliverable_format;
    if (deliverable_format) args.deliverable_format ??= deliverable_format;
  }
  return args;
}

/** Arguments that callers may pass and models never see: a value that a model invents is ignored. */
function hiddenIn(all: JsonSchema, offered: JsonSchema): string[] {
  const names = (schema: JsonSchema): string[] =>
    isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const shown = new Set(names(offered));
  return names(all).filter((name) => !shown.has(name));
}

function isOneOf(schema: unknown, value: unknown): boolean {
  const { enum: values } = schema as { enum?: unknown[] };
  return values?.includes(value) ?? true;
}
