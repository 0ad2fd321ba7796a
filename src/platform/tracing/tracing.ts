import type { Attributes } from './attributes';

export type SpanKind = 'client' | 'internal';

/** A span that has begun. */
export interface Span {
  /** Adds what is known only later. */
  set(attributes: Attributes): void;
}

/** What a record holds of the trace of its run. */
export interface TracedRun {
  readonly id: string;
  /** The context of its submission, as in a `traceparent` header. */
  readonly traceparent?: string;
}

/** A run at its end. */
export interface EndedRun extends TracedRun {
  readonly name: string;
  readonly createdMs: number;
  /** When a worker had it first; undefined if none had it. */
  readonly startedMs?: number;
  readonly attributes: Attributes;
}

/** A request whose reply is under way. */
export interface TracedRequest {
  /** Runs `work` within it. */
  run(work: () => void): void;
  end(statusCode: number): void;
}

/** What makes spans where they are configured. Nothing of it throws, or waits for a receiver. */
export interface Tracer {
  span<T>(
    kind: SpanKind,
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
  ): Promise<T>;
  request(
    traceparent: string | undefined,
    name: string,
    attributes: Attributes,
  ): TracedRequest;
  inRun<T>(run: TracedRun, work: () => T): T;
  runEnded(run: EndedRun): void;
  /** Of the current span, as a header. */
  traceparent(): string | undefined;
  /** Of the request or the run that the current work belongs to, as a header. */
  anchor(): string | undefined;
}

const NO_SPAN: Span = { set: () => undefined };
const NOTHING = Object.freeze({});

let tracer: Tracer | undefined;

/** Undefined: nothing is traced from now on. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Does `work` as a span of the current request or run. Without one, or without a tracer, only `work` is done. */
export function traced<T>(
  kind: SpanKind,
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer ? tracer.span(kind, name, attributes, work) : work(NO_SPAN);
}

/** Begins the span of a request; undefined without a tracer. */
export function traceRequest(
  traceparent: string | undefined,
  name: string,
  attributes: Attributes,
): TracedRequest | undefined {
  return tracer?.request(traceparent, name, attributes);
}

/**
 * Does `work` as part of a run. The span of the run is not begun here: it is made at the end of the run from what the record
 * says, so that it exists even if workers disappear, and every span of every worker is below it.
 */
export function inRunTrace<T>(run: TracedRun, work: () => T): T {
  return tracer ? tracer.inRun(run, work) : work();
}

/** Makes the span of a run, once, by the one write that ended it. */
export function traceRunEnd(run: EndedRun): void {
  tracer?.runEnded(run);
}

/** Headers of a request to a server that may continue the trace. */
export function traceHeaders(): { readonly traceparent?: string } {
  const traceparent = tracer?.traceparent();
  return traceparent ? { traceparent } : NOTHING;
}

/** The field of a record that is created now. */
export function traceOfRecord(): { readonly traceparent?: string } {
  const traceparent = tracer?.anchor();
  return traceparent ? { traceparent } : NOTHING;
}

/** Fields of a log line that is written now; a new object, to which the logger adds the others. */
export function traceOfLine(): { trace_id?: string } {
  const traceparent = tracer?.traceparent();
  return traceparent ? { trace_id: traceparent.split('-')[1] } : {};
}
