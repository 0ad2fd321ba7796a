import type { Tokens } from '../prices/price-table';
import { countTokens } from '../tokens/count-tokens';
import { UNKNOWN_MODEL } from '../tokens/token-counter';
import type { DeltaEmitter } from './delta-emitter';

/** Characters whose tokens are counted: of more text they stand for the whole. */
const SAMPLE = 50_000;

/**
 * An estimate of the tokens of a turn that broke off before its endpoint has reported them: of its request, and of what was
 * sent to the caller. Undefined if that is nothing.
 */
export function seenTokens(
  body: object,
  { text, length }: Pick<DeltaEmitter, 'text' | 'length'>,
): Tokens | undefined {
  if (length === 0) return undefined;
  const request = JSON.stringify(body, withoutData);
  return {
    input_tokens: estimatedTokens(request, request.length),
    output_tokens: estimatedTokens(text || request, length),
  };
}

/** An estimate. @param length of the whole of which `text` is a part. */
export function estimatedTokens(text: string, length: number): number {
  const sample = text.slice(0, SAMPLE);
  const tokens = countTokens(sample, UNKNOWN_MODEL);
  return Math.ceil((tokens * length) / sample.length);
}

/** Images are no text. */
function withoutData(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('data:') ? '' : value;
}
