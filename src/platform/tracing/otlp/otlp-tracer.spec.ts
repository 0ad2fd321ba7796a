import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { AppError } from '../../errors';
import {
  inRunTrace,
  setTracer,
  traced,
  traceHeaders,
  traceOfLine,
  traceOfRecord,
  traceRequest,
  traceRunEnd,
} from '../tracing';
import { OtlpTracer } from './otlp-tracer';
import { PresetIds, spanIdOf } from './preset-ids';

const TRACE = 'a'.repeat(32);
const PARENT = 'b'.repeat(16);
const HEADER = `00-${TRACE}-${PARENT}-01`;

describe(OtlpTracer.name, () => {
  const exporter = new InMemorySpanExporter();
  const ids = new PresetIds();
  const provider = new TracerProvider({
    idGenerator: ids,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });

  beforeEach(() => {
    exporter.reset();
    setTracer(new OtlpTracer(provider.getTracer('sonde'), ids, true));
  });
  afterAll(() => setTracer(undefined));

  const spans = () =>
    exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      trace: span.spanContext().traceId,
      id: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId,
      attributes: span.attributes,
      status: span.status.code,
      ms: [span.startTime, span.endTime].map(([s, ns]) => s * 1e3 + ns / 1e6),
    }));
  const span = (name: string) => spans().find((one) => one.name === name)!;
  /** Does the work as part of a request, and ends that. */
  const during = (work: () => Promise<unknown>, header?: string) =>
    new Promise<void>((resolve, reject) => {
      const request = traceRequest(header, 'GET /', {})!;
      request.run(() => {
        work()
          .finally(() => request.end(200))
          .then(() => resolve(), reject);
      });
    });

  it('does the work alone where nothing is traced, in the background, and for a run without a trace', async () => {
    const work = () => traced('client', 'x', {}, async () => traceHeaders());
    expect(await work()).toEqual({});
    expect(await inRunTrace({ id: 'inv_1' }, work)).toEqual({});
    const bad = { id: 'inv_1', traceparent: 'junk' };
    expect(await inRunTrace(bad, work)).toEqual({});
    setTracer(undefined);
    expect(
      await inRunTrace({ id: 'inv_1', traceparent: HEADER }, work),
    ).toEqual({});
    expect(traceRequest(HEADER, 'x', {})).toBeUndefined();
    expect(spans()).toEqual([]);
  });

  it('nests what is done in what does it, below the caller', async () => {
    const headers: unknown[] = [];
    await during(async () => {
      await traced('internal', 'outer', {}, () =>
        traced('client', 'inner', {}, async () => {
          headers.push(traceHeaders(), traceOfRecord(), traceOfLine());
        }),
      );
    }, HEADER);
    const request = span('GET /');
    expect(request).toMatchObject({ trace: TRACE, parent: PARENT });
    expect(span('outer').parent).toBe(request.id);
    expect(span('inner').parent).toBe(span('outer').id);
    expect(headers).toEqual([
      { traceparent: `00-${TRACE}-${span('inner').id}-01` },
      // A span that a crash may lose is no parent of a run.
      { traceparent: `00-${TRACE}-${request.id}-01` },
      { trace_id: TRACE },
    ]);
  });

  it('makes the span of a run at its end, above all that workers have done for it', async () => {
    const run = { id: 'inv_1', traceparent: HEADER };
    for (const worker of ['first', 'second'])
      await inRunTrace(run, () => traced('client', worker, {}, async () => 0));
    expect(span('execute_tool x')).toBeUndefined();
    const createdMs = Date.now() - 9_000;
    const startedMs = createdMs + 2_000;
    traceRunEnd({
      ...run,
      name: 'execute_tool x',
      createdMs,
      startedMs,
      attributes: { run: 'inv_1', error: 'tool_failed' },
    });
    const id = spanIdOf('inv_1');
    expect(span('execute_tool x')).toMatchObject({
      id,
      trace: TRACE,
      parent: PARENT,
      status: 2,
      attributes: { 'error.type': 'tool_failed', 'sonde.run.id': 'inv_1' },
    });
    expect(span('execute_tool x').ms[0]).toBe(createdMs);
    expect(span('queue')).toMatchObject({
      parent: id,
      ms: [createdMs, startedMs],
    });
    for (const name of ['first', 'second', 'queue'])
      expect(span(name).parent).toBe(id);
    expect(span('queue').id).not.toBe(id);
  });

  it('never begins a span later than it ends, whatever the clock of Redis says', () => {
    const ahead = Date.now() + 3_600_000;
    const run = { id: 'inv_1', traceparent: HEADER, attributes: {} };
    traceRunEnd({ ...run, name: 'x', createdMs: ahead });
    for (const { ms } of spans()) expect(ms[1]).toBeGreaterThanOrEqual(ms[0]);
  });

  it.each([
    [new AppError('tool_failed', 'MARKER'), 'tool_failed'],
    [Object.assign(new Error('MARKER'), { fault: 'http_error' }), 'http_error'],
    [Object.assign(new Error('MARKER'), { code: 7 }), 'Error'],
    ['shutdown', 'shutdown'],
    ['MARKER with words', '_OTHER'],
    [undefined, '_OTHER'],
  ])('names the failure %s by its code alone', async (thrown, type) => {
    const failing = during(() =>
      traced('client', 'x', { model: 'm' }, async () => {
        throw thrown;
      }),
    );
    await failing.catch((error) => expect(error).toBe(thrown));
    expect(span('x')).toMatchObject({
      status: 2,
      attributes: { 'gen_ai.request.model': 'm', 'error.type': type },
    });
    expect(JSON.stringify(spans())).not.toContain('MARKER');
  });

  it('leaves out names that still change, and values that are not known', async () => {
    setTracer(new OtlpTracer(provider.getTracer('sonde'), ids, false));
    await during(() =>
      traced('client', 'x', { model: 'm', run: '' }, async (one) =>
        one.set({ inputTokens: 1, hits: 2, scope: undefined }),
      ),
    );
    expect(span('x').attributes).toEqual({ 'sonde.search.hits': 2 });
  });
});
