import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Definition, type MetricName, METRICS } from './definitions';

/** The values of all metrics of one process. Every series begins with its first value, also where a metric has no labels. */
export class MetricsRegistry {
  private constructor(
    private readonly registry: Registry,
    { Counter, Gauge, Histogram }: typeof import('prom-client'),
  ) {
    const classes = { counter: Counter, gauge: Gauge, histogram: Histogram };
    for (const name of Object.keys(METRICS) as MetricName[]) {
      const { type, help, labels, buckets = [] }: Definition = METRICS[name];
      const metric = new classes[type]({
        name,
        help,
        labelNames: labels,
        buckets: [...buckets],
        registers: [],
      });
      registry.registerMetric(metric);
      this.clear(name);
    }
  }

  /** Only a process with metrics loads `prom-client`, which loads the API of OpenTelemetry. */
  static async load(): Promise<MetricsRegistry> {
    const client = await import('prom-client');
    return new MetricsRegistry(new client.Registry(), client);
  }

  /** @param labels their values in the order of the definition. */
  add(name: MetricName, value: number, ...labels: string[]): void {
    if (!Number.isFinite(value)) return;
    // A counter throws at what would lower it, and a record may hold any number.
    if (value < 0 && METRICS[name].type === 'counter') return;
    const metric = this.registry.getSingleMetric(name) as Counter | Gauge;
    metric.labels(...labels).inc(value);
  }

  set(name: MetricName, value: number, ...labels: string[]): void {
    const metric = this.registry.getSingleMetric(name) as Gauge;
    metric.labels(...labels).set(value);
  }

  /** Removes what can no longer be read, rather than to show an old value. */
  clear(name: MetricName): void {
    const metric = this.registry.getSingleMetric(name) as Gauge;
    metric.reset();
    // What has no labels is 0 after a reset.
    metric.remove({});
  }

  observe(name: MetricName, value: number, ...labels: string[]): void {
    if (!Number.isFinite(value)) return;
    const metric = this.registry.getSingleMetric(name) as Histogram;
    metric.labels(...labels).observe(value);
  }

  /** In the text format 0.0.4 of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
