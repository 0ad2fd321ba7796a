/** `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** All matches of a pattern, which must have the flag `g`. */
export function spansOf(pattern: RegExp, text: string): Span[] {
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** Replaces the spans, which must be in order. */
export function withSpans<S extends Span>(
  text: string,
  spans: readonly S[],
  replacement: (span: S) => string,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const span of spans) {
    pieces.push(text.slice(at, span.start), replacement(span));
    at = span.end;
  }
  return [...pieces, text.slice(at)].join('');
}
