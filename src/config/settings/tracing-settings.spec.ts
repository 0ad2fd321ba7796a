import { loadConfig } from '../load-config';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
const read = (env: NodeJS.ProcessEnv) =>
  loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env }).tracing;

describe('the settings of traces', () => {
  it('turn nothing on without an endpoint', () => {
    const OTEL_EXPORTER_OTLP_PROTOCOL = 'grpc';
    const OTEL_TRACES_SAMPLER = 'xray';
    const others = { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_TRACES_SAMPLER };
    expect(loadConfig(others).tracing).toBeUndefined();
  });

  it('have the defaults of OpenTelemetry, and a name of our own', () => {
    expect(read({})).toEqual({
      resource: { 'service.name': 'sonde' },
      sampler: 'parentbased_always_on',
      samplerRatio: 1,
      exportDelayMs: 5_000,
      genAi: false,
    });
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://example.com/x';
    const only = loadConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT });
    expect(only.tracing).toEqual(read({}));
  });

  it('take attributes percent-decoded, and a name of its own variable first', () => {
    const OTEL_RESOURCE_ATTRIBUTES = ' service.name=a, b.c = d%20=e ,';
    expect(read({ OTEL_RESOURCE_ATTRIBUTES })?.resource).toEqual({
      'service.name': 'a',
      'b.c': 'd =e',
    });
    const OTEL_SERVICE_NAME = 'b';
    expect(
      read({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME })?.resource,
    ).toMatchObject({ 'service.name': 'b' });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'user:secret@host'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://secret'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'x'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
  ])('refuse %s=%s in one line', (name, value) => {
    const load = () => read({ [name]: value });
    expect(load).toThrow(new RegExp(`^${name} (is|has) .+ Example: \\S+$`));
    expect(load).not.toThrow(/secret/);
  });
});
