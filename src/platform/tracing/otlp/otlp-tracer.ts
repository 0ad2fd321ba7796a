import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { type Attributes, errorType, named } from '../attributes';
import type {
  EndedRun,
  Span,
  SpanKind,
  TracedRequest,
  TracedRun,
  Tracer,
} from '../tracing';
import { type PresetIds, spanIdOf } from './preset-ids';

const KINDS: Record<SpanKind, Kind> = {
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
};

/** Where work belongs. */
interface Scope {
  readonly span: OtelSpan;
  /**
   * The request or the run. Runs that begin here are below it and not below `span`, which is lost with a worker that is
   * killed.
   */
  readonly anchor: OtelSpan;
}

/** Makes spans of OpenTelemetry. It keeps the current one itself: nothing is registered globally. */
export class OtlpTracer implements Tracer {
  private readonly scopes = new AsyncLocalStorage<Scope | undefined>();

  /** @param ids of the provider of `tracer`. @param genAi whether attributes of the GenAI conventions are sent. */
  constructor(
    private readonly tracer: OtelTracer,
    private readonly ids: PresetIds,
    private readonly genAi: boolean,
  ) {}

  async span<T>(
    kind: SpanKind,
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const scope = this.scopes.getStore();
    // Work in the background is no part of any trace.
    if (!scope) return work({ set: () => undefined });
    const span = this.start(name, KINDS[kind], attributes, within(scope.span));
    const set = (more: Attributes): void => this.set(span, more);
    try {
      return await this.scopes.run({ ...scope, span }, () => work({ set }));
    } catch (error) {
      set({ error: errorType(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  request(
    traceparent: string | undefined,
    name: string,
    attributes: Attributes,
  ): TracedRequest {
    const parent = contextIn(traceparent);
    const from = parent
      ? trace.setSpanContext(ROOT_CONTEXT, parent)
      : ROOT_CONTEXT;
    const span = this.start(name, Kind.SERVER, attributes, from);
    return {
      run: (work) => this.scopes.run({ span, anchor: span }, work),
      end: (statusCode) => {
        const error = statusCode >= 500 ? String(statusCode) : undefined;
        this.set(span, { statusCode, error });
        span.end();
      },
    };
  }

  inRun<T>({ id, traceparent }: TracedRun, work: () => T): T {
    const parent = contextIn(traceparent);
    // What was submitted without a trace has none.
    if (!parent) return this.scopes.run(undefined, work);
    const span = trace.wrapSpanContext({ ...parent, spanId: spanIdOf(id) });
    return this.scopes.run({ span, anchor: span }, work);
  }

  runEnded({ id, traceparent, name, createdMs, ...run }: EndedRun): void {
    const parent = contextIn(traceparent);
    if (!parent) return;
    const from = trace.setSpanContext(ROOT_CONTEXT, parent);
    const { startedMs, attributes } = run;
    const span = this.ids.with(spanIdOf(id), () =>
      this.start(name, Kind.INTERNAL, attributes, from, createdMs),
    );
    // The clock of Redis may be ahead.
    const latestMs = Math.max(Date.now(), createdMs);
    const queuedUntilMs = startedMs ?? latestMs;
    this.start('queue', Kind.INTERNAL, {}, within(span), createdMs).end(
      Math.max(queuedUntilMs, createdMs),
    );
    span.end(Math.max(queuedUntilMs, latestMs));
  }

  traceparent(): string | undefined {
    return headerOf(this.scopes.getStore()?.span);
  }

  anchor(): string | undefined {
    return headerOf(this.scopes.getStore()?.anchor);
  }

  private start(
    name: string,
    kind: Kind,
    attributes: Attributes,
    from: Context,
    startTime?: number,
  ): OtelSpan {
    const span = this.tracer.startSpan(
      name,
      { kind, attributes: named(attributes, this.genAi), startTime },
      from,
    );
    if (attributes.error !== undefined) fail(span);
    return span;
  }

  private set(span: OtelSpan, attributes: Attributes): void {
    span.setAttributes(named(attributes, this.genAi));
    if (attributes.error !== undefined) fail(span);
  }
}

function within(span: OtelSpan): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Without a message: that may hold what a caller or a model has written. */
function fail(span: OtelSpan): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Undefined if the header is absent or not valid. */
function contextIn(traceparent = ''): SpanContext | undefined {
  const context = parseTraceParent(traceparent);
  return context ? { ...context, isRemote: true } : undefined;
}

function headerOf(span: OtelSpan | undefined): string | undefined {
  if (!span) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags & 1).toString(16).padStart(2, '0');
  return `00-${traceId}-${spanId}-${flags}`;
}
