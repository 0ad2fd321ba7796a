import { type Span, traced } from '../../platform/tracing/tracing';
import { labelIn, tokensIn } from './reply-fields';

/** One request to a model as a span; `work` ends when its reply is read. */
export function modelCall<T>(
  model: string,
  work: (span: Span) => Promise<T>,
  operation: 'chat' | 'embeddings' = 'chat',
): Promise<T> {
  const about = { operation, provider: 'openai', model } as const;
  return traced('client', `${operation} ${model}`, about, work);
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
