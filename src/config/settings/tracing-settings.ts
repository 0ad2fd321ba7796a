import type { AppConfig } from '../config';
import type { Environment } from '../environment';

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
];
const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
const OTHERS = [
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_SEMCONV_STABILITY_OPT_IN',
];
const GEN_AI = 'gen_ai_latest_experimental';

/**
 * Where traces go by the variables of OpenTelemetry; undefined: nowhere. The exporter reads the endpoints, and whatever
 * else begins with OTEL_EXPORTER_OTLP, from the environment itself.
 */
export function readTracing(env: Environment): AppConfig['tracing'] {
  const endpoints = ENDPOINTS.map((name) =>
    env.parsed(name, checkEndpoint, 'http://127.0.0.1:4318'),
  );
  if (!endpoints.some(Boolean)) {
    // They may be set for all programs of a machine, so without an endpoint they are known but not checked.
    OTHERS.forEach((name) => env.optional(name));
    return undefined;
  }
  env.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  const name = env.text('OTEL_SERVICE_NAME', 'sonde');
  const isNamed = env.optional('OTEL_SERVICE_NAME') !== undefined;
  const attributes =
    env.parsed('OTEL_RESOURCE_ATTRIBUTES', attributesIn, 'team=search') ?? {};
  return {
    resource: {
      'service.name': name,
      ...attributes,
      ...(isNamed && { 'service.name': name }),
    },
    sampler: env.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, SAMPLERS[0]),
    samplerRatio: env.parsed('OTEL_TRACES_SAMPLER_ARG', ratioIn, '0.1') ?? 1,
    exportDelayMs: env.integer('OTEL_BSP_SCHEDULE_DELAY', 5_000, 1, 60_000),
    genAi: env.list('OTEL_SEMCONV_STABILITY_OPT_IN', []).includes(GEN_AI),
  };
}

/** The value may hold a password, so no error shows it. */
function checkEndpoint(text: string): true {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error('is not an http or https URL');
  return true;
}

/** `key=value,key=value`, in which what is not ASCII is percent-encoded. */
function attributesIn(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw new Error('has an entry that is not key=value');
      return [decoded(key), decoded(value)];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has an entry that is not percent-encoded');
  }
}

function ratioIn(text: string): number {
  const ratio = Number(text);
  if (text.trim() === '' || !(ratio >= 0 && ratio <= 1))
    throw new Error('is not a number from 0 to 1');
  return ratio;
}
