import { type Span, traced } from '../../platform/tracing/tracing';
import { labelIn, tokensIn } from './reply-fields';

/** One request to a model as a span; `work` ends when its reply is read. */
export function modelCall<T>(
  model: string,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const about = { operation: 'chat', provider: 'openai', model } as const;
  return traced('client', `chat ${model}`, about, work);
}

/** Adds what the reply says of itself. */
export function describeReply(
  span: Span,
  { model, usage }: { model?: unknown; usage?: unknown },
): void {
  const tokens = tokensIn(usage);
  span.set({
    answeredBy: labelIn(model),
    inputTokens: tokens?.input_tokens,
    outputTokens: tokens?.output_tokens,
  });
}
