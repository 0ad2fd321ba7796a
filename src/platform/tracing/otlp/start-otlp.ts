import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '../../pause';
import { setTracer } from '../tracing';
import { OtlpTracer } from './otlp-tracer';
import { PresetIds } from './preset-ids';
import { QuietExporter } from './quiet-exporter';

/** How long the end of the process waits for a receiver. */
const FLUSH_MS = 1_500;
/** An attribute has at most as many characters. */
const MAX_VALUE = 256;

export interface OtlpSettings {
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: string;
  readonly samplerRatio: number;
  readonly exportDelayMs: number;
  readonly genAi: boolean;
}

/**
 * Sends the spans of this process by OTLP from now on. The exporter reads where, how and with which headers from
 * `OTEL_EXPORTER_OTLP_*`. Spans wait in memory, at most 2,048 of them, and more are dropped.
 * @param report gets whether the receiver takes spans from now on, when that changes.
 * @returns a function that sends what is left, for a limited time.
 */
export function startOtlp(
  settings: OtlpSettings,
  report: (received: boolean) => void,
): () => Promise<void> {
  const ids = new PresetIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...settings.resource }),
    sampler: samplerOf(settings),
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: MAX_VALUE },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new QuietExporter(new OTLPTraceExporter(), report),
        scheduledDelayMillis: settings.exportDelayMs,
      }),
    ],
  });
  const tracer = provider.getTracer('sonde');
  setTracer(new OtlpTracer(tracer, ids, settings.genAi));
  return async () => {
    setTracer(undefined);
    // A receiver that cannot be reached is reported already.
    const flushed = provider.shutdown().catch(() => undefined);
    await within(FLUSH_MS, flushed);
  };
}

/** By the names of OTEL_TRACES_SAMPLER. */
function samplerOf({ sampler, samplerRatio }: OtlpSettings): Sampler {
  const [, root = sampler] = /^parentbased_(.*)$/.exec(sampler) ?? [];
  const decides = rootSampler(root, samplerRatio);
  return root === sampler ? decides : new ParentBasedSampler({ root: decides });
}

function rootSampler(name: string, ratio: number): Sampler {
  switch (name) {
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    default:
      return new AlwaysOnSampler();
  }
}
