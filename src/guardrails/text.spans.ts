/** `end` is behind its last character. */
export interface Span {
  start: number;
  end: number;
}

/** Where the form is found in the text; it must have the flag `g`. */
export function spansOf(form: RegExp, text: string): Span[] {
  return [...text.matchAll(form)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** The text with something else in place of the spans, which are in its order. */
export function withSpans<S extends Span>(
  text: string,
  spans: readonly S[],
  instead: (span: S) => string,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const span of spans) {
    pieces.push(text.slice(at, span.start), instead(span));
    at = span.end;
  }
  return [...pieces, text.slice(at)].join('');
}
