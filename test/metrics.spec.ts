import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { METRICS } from '../src/platform/metrics/definitions';
import { readPage } from './support/docs/docs';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What Prometheus itself makes of the types of metrics. */
const SERIES = new Map(
  Object.entries(METRICS).flatMap(([name, { type, labels }]) =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']] as const,
          [`${name}_sum`, labels] as const,
          [`${name}_count`, labels] as const,
        ]
      : [[name, labels] as const],
  ),
);
/** What a scrape adds to every series. */
const OF_THE_SCRAPE = ['instance', 'job'];

interface Dashboard {
  panels: {
    title: string;
    targets: { expr: string; legendFormat: string }[];
  }[];
}

const dashboard = JSON.parse(read('ops/grafana/sonde.json')) as Dashboard;
const ofPanels = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
);
const rules = read('ops/prometheus/rules.yml');
const ofRules = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expr]) => expr);

const scaling = read('ops/kubernetes/scaling.yaml');
const ofScaling = [...scaling.matchAll(/^ +query: (.+)$/gm)].map(
  ([, expr]) => expr,
);

/** The metrics and the labels that an expression names. @throws if it is no PromQL. */
function namesOf(expr: string): { metrics: string[]; labels: string[] } {
  const names = { metrics: [] as string[], labels: [] as string[] };
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expr.slice(from, to);
      if (type.isError) throw new Error(`at ${from}: ${expr}`);
      if (type.name === 'LabelName') names.labels.push(text);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.metrics.push(text);
    },
  });
  return names;
}

describe('the dashboard, the alert rules and the scaling', () => {
  it('have expressions to check, one for each alert', () => {
    expect(ofPanels.length).toBeGreaterThan(20);
    expect(ofRules).toHaveLength(rules.match(/- alert:/g)!.length);
    expect(ofScaling).toHaveLength(scaling.match(/- type:/g)!.length);
  });

  it.each([...ofPanels, ...ofRules, ...ofScaling])(
    'name only metrics and labels that exist: %s',
    (expr) => {
      const { metrics, labels } = namesOf(expr);
      const known = metrics.filter((name) => name !== 'up');
      expect(metrics).not.toEqual([]);
      expect(known.filter((name) => !SERIES.has(name))).toEqual([]);
      const having = known.flatMap((name) => [...SERIES.get(name)!]);
      expect(
        labels.filter(
          (label) => ![...having, ...OF_THE_SCRAPE].includes(label),
        ),
      ).toEqual([]);
    },
  );

  it('have a test in which each alert fires', () => {
    const fired = read('ops/prometheus/rules.test.yml').matchAll(
      /alertname: (\w+)\n +exp_alerts:/g,
    );
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)];
    expect([...new Set([...fired].map(([, name]) => name))].sort()).toEqual(
      alerts.map(([, name]) => name).sort(),
    );
  });

  it('show every metric of the service, but for when a process began', () => {
    const shown = [...ofPanels, ...ofRules].join('\n');
    const hidden = Object.keys(METRICS).filter((name) => !shown.includes(name));
    expect(hidden).toEqual(['sonde_process_start_time_seconds']);
  });
});

it('docs/metrics.md explains every metric, with its type and labels', () => {
  const rows = readPage('docs/metrics.md').matchAll(
    /^\| `(sonde_\w+)` +\| (\w+) +\| ([^|]*?) *\|/gm,
  );
  const explained = [...rows].map(([, name, type, labels]) => [
    name,
    {
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    },
  ]);
  const defined = Object.entries(METRICS).map(([name, { type, labels }]) => [
    name,
    { type, labels },
  ]);
  expect(Object.fromEntries(explained)).toEqual(Object.fromEntries(defined));
});
