import type { Tool } from '../tools/tool';
import { withoutNulls } from '../tools/strict-schema';
import type { ChatRequestDto } from './chat.dto';

/** The model's arguments, and what the caller has to add to them, as far as the tool takes it. */
export function completeArguments(
  { argumentsSchema: { shape } }: Tool,
  chosen: Record<string, unknown>,
  request: ChatRequestDto,
): Record<string, unknown> {
  const args = withoutNulls(chosen);
  const { system_prompt, documents, deliverable_format } = request;
  if (shape.system_prompt && system_prompt) args.system_prompt = system_prompt;
  if (shape.documents && documents?.length) args.documents ??= documents;
  if (shape.deliverable_format) {
    const { success } = shape.deliverable_format.safeParse(
      args.deliverable_format,
    );
    // A format that does not exist is no choice.
    if (!success) delete args.deliverable_format;
    if (deliverable_format) args.deliverable_format ??= deliverable_format;
  }
  return args;
}
