import { omit } from '../models/refused-parameters';
import type { CompletionForm } from './completion-form';
import { withoutBounds } from './schema-bounds';
import type {
  CompletionMessage,
  CompletionRequest,
  CompletionSchema,
} from './completion.types';

/** The fewest that Responses accepts. */
const MIN_OUTPUT_TOKENS = 16;

export function completionPath({ protocol }: CompletionForm): string {
  return protocol === 'responses' ? '/responses' : '/chat/completions';
}

export function completionBody(
  request: CompletionRequest,
  form: CompletionForm,
): { model: string } {
  const { model, schema } = request;
  const messages = messagesOf(request, form);
  const format =
    form.nativeSchema && schema
      ? { ...schema, schema: withoutBounds(schema.schema, form.unbounded) }
      : undefined;
  const limit = {
    [form.limit]: Math.max(MIN_OUTPUT_TOKENS, Math.floor(request.maxTokens)),
  };
  const body =
    form.protocol === 'responses'
      ? {
          model,
          input: messages.map((one) => ({ type: 'message', ...one })),
          ...limit,
          store: false,
          ...(form.reasons && { reasoning: { effort: 'low' } }),
          ...(format && {
            text: { format: { type: 'json_schema', ...format, strict: true } },
          }),
        }
      : {
          model,
          messages,
          ...limit,
          ...(form.reasons && { reasoning_effort: 'low' }),
          ...(format && {
            response_format: {
              type: 'json_schema',
              json_schema: { ...format, strict: true },
            },
          }),
        };
  return form.omitted.reduce(omit, body);
}

function messagesOf(
  { messages, schema }: CompletionRequest,
  form: CompletionForm,
): readonly CompletionMessage[] {
  const asked =
    schema && form.promptedSchema
      ? withInstructions(messages, inWords(schema))
      : messages;
  return form.system ? asked : withoutSystem(asked);
}

/** The second line names the schema as the parameter would: an endpoint can tell by it what is asked for. */
function inWords({ name, schema }: CompletionSchema): string {
  return `Answer with one JSON value that fits this JSON Schema, and with nothing else: no introduction, no code fence.
Schema ${name}: ${JSON.stringify(schema)}`;
}

/** At the end of the first system message: many chat templates accept only one, at the start. */
function withInstructions(
  messages: readonly CompletionMessage[],
  instructions: string,
): CompletionMessage[] {
  const [first, ...rest] = messages;
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${instructions}` }, ...rest]
    : [{ role: 'system', content: instructions }, ...messages];
}

/** System messages become the beginning of the first message of the user. */
function withoutSystem(
  messages: readonly CompletionMessage[],
): CompletionMessage[] {
  const system = messages.filter(({ role }) => role === 'system');
  if (system.length === 0) return [...messages];
  const others = messages.filter(({ role }) => role !== 'system');
  const texts = system.map(({ content }) => content);
  const [first, ...rest] = others;
  if (first?.role === 'user') {
    const content = [...texts, first.content].join('\n\n');
    return [{ role: 'user', content }, ...rest];
  }
  return [{ role: 'user', content: texts.join('\n\n') }, ...others];
}
