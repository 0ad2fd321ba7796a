import { type Definition, type MetricName, METRICS } from './definitions';

interface Histogram {
  /** How many values fell into each bucket, and above the last. */
  readonly counts: number[];
  sum: number;
}

const SEPARATOR = '\0';

/** The values of all metrics, kept as plain numbers: an observation costs a look into a map. */
export class MetricsRegistry {
  private readonly numbers = new Map<MetricName, Map<string, number>>();
  private readonly histograms = new Map<MetricName, Map<string, Histogram>>();

  /** @param labels their values in the order of the definition. */
  add(name: MetricName, value: number, ...labels: string[]): void {
    if (!Number.isFinite(value)) return;
    const series = seriesOf(this.numbers, name);
    const key = labels.join(SEPARATOR);
    series.set(key, (series.get(key) ?? 0) + value);
  }

  set(name: MetricName, value: number, ...labels: string[]): void {
    seriesOf(this.numbers, name).set(labels.join(SEPARATOR), value);
  }

  /** Removes what can no longer be read, rather than to show an old value. */
  clear(name: MetricName): void {
    this.numbers.delete(name);
  }

  observe(name: MetricName, value: number, ...labels: string[]): void {
    if (!Number.isFinite(value)) return;
    const { buckets = [] }: Definition = METRICS[name];
    const series = seriesOf(this.histograms, name);
    const key = labels.join(SEPARATOR);
    let histogram = series.get(key);
    if (!histogram) {
      const counts = Array.from({ length: buckets.length + 1 }, () => 0);
      series.set(key, (histogram = { counts, sum: 0 }));
    }
    const bucket = buckets.findIndex((bound) => value <= bound);
    histogram.counts[bucket < 0 ? buckets.length : bucket] += 1;
    histogram.sum += value;
  }

  /** In the text format 0.0.4 of Prometheus. */
  text(): string {
    const names = Object.keys(METRICS) as MetricName[];
    return names.map((name) => this.textOf(name)).join('');
  }

  private textOf(name: MetricName): string {
    const { type, help, labels, buckets = [] }: Definition = METRICS[name];
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
    for (const [key, value] of this.numbers.get(name) ?? [])
      lines.push(`${name}${labelled(labels, key)} ${value}`);
    for (const [key, { counts, sum }] of this.histograms.get(name) ?? []) {
      let count = 0;
      for (const [at, more] of counts.entries()) {
        count += more;
        const bound = `le="${buckets[at] ?? '+Inf'}"`;
        lines.push(`${name}_bucket${labelled(labels, key, bound)} ${count}`);
      }
      lines.push(`${name}_sum${labelled(labels, key)} ${sum}`);
      lines.push(`${name}_count${labelled(labels, key)} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function seriesOf<T>(
  all: Map<MetricName, Map<string, T>>,
  name: MetricName,
): Map<string, T> {
  let series = all.get(name);
  if (!series) all.set(name, (series = new Map()));
  return series;
}

function labelled(
  labels: readonly string[],
  key: string,
  bound?: string,
): string {
  const values = key.split(SEPARATOR);
  const pairs = labels.map((label, at) => `${label}="${escaped(values[at])}"`);
  if (bound) pairs.push(bound);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function escaped(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
