import { isObject } from '../../message/call.arguments';
import type { Tool } from '../../tools/tool';
import { withoutNulls } from '../../tools/without-nulls';
import type { ChatRequest } from '../dto/chat.dto';

/** The model's arguments, and what the caller has to add to them, as far as the tool takes it. */
export function completeArguments(
  { parameters }: Pick<Tool, 'parameters'>,
  chosen: Record<string, unknown>,
  request: ChatRequest,
): Record<string, unknown> {
  const args = withoutNulls(chosen, parameters);
  const takes = isObject(parameters.properties) ? parameters.properties : {};
  const { system_prompt, documents, deliverable_format, time_zone } = request;
  if (takes.system_prompt && system_prompt) args.system_prompt = system_prompt;
  if (takes.documents && documents?.length) args.documents ??= documents;
  if (takes.time_zone && time_zone) args.time_zone ??= time_zone;
  if (takes.deliverable_format) {
    // A format that does not exist is no choice.
    if (!isOneOf(takes.deliverable_format, args.deliverable_format))
      delete args.deliverable_format;
    if (deliverable_format) args.deliverable_format ??= deliverable_format;
  }
  return args;
}

function isOneOf(schema: unknown, value: unknown): boolean {
  const { enum: values } = schema as { enum?: unknown[] };
  return values?.includes(value) ?? true;
}
