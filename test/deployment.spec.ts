import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { loadConfig } from '../src/config/load-config';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const MEBIBYTES: Record<string, number> = { Mi: 1, Gi: 1024, m: 1, g: 1024 };

const mebibytes = (text: string): number => {
  const [, number, unit] = /^(\d+)(Mi|Gi|m|g)$/.exec(text)!;
  return Number(number) * MEBIBYTES[unit];
};
/** How long a process may take to shut down. */
const shutdownSeconds =
  Number(
    /SHUTDOWN_TIMEOUT_MS = ([\d_]+)/
      .exec(read('src/app/process-lifecycle.ts'))![1]
      .replaceAll('_', ''),
  ) / 1_000;
const variables = new Set(
  [...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name),
);

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  command?: string[];
  envFrom: Record<string, { name: string }>[];
  ports: { name: string; containerPort: number }[];
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  livenessProbe: Probe;
  readinessProbe: Probe;
  startupProbe: Probe;
  resources: { requests: object; limits: { memory: string } };
  securityContext: object;
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    selector: { matchLabels: Record<string, string> } & Record<string, string>;
    ports: { targetPort: string }[];
    ingress: { ports: { port: string }[] }[];
    scaleTargetRef: { name: string };
    minReplicaCount: number;
    minAvailable: number;
    replicas?: number;
    template: {
      metadata: {
        labels: Record<string, string>;
        annotations: Record<string, string>;
      };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: object;
        containers: [Container];
      };
    };
  };
}

const FOLDER = 'ops/kubernetes';
const manifests = readdirSync(join(ROOT, FOLDER)).flatMap(
  (file) => loadAll(read(`${FOLDER}/${file}`)) as Manifest[],
);
const ofKind = (kind: string, name?: string): Manifest => {
  const [found, ...more] = manifests.filter(
    (one) => one.kind === kind && (!name || one.metadata.name === name),
  );
  expect(more).toEqual([]);
  return found;
};
const settings = ofKind('ConfigMap').data!;
const secrets = ofKind('Secret').stringData!;
const DEPLOYMENTS = ['sonde-api', 'sonde-worker'];

describe('the Kubernetes manifests', () => {
  it('are those of an installation', () => {
    const kinds = manifests.map(({ kind, metadata }) =>
      [kind, metadata.name].join(' '),
    );
    expect(kinds.sort()).toEqual([
      'ConfigMap sonde',
      'Deployment sonde-api',
      'Deployment sonde-worker',
      'NetworkPolicy sonde',
      'PodDisruptionBudget sonde-api',
      'PodDisruptionBudget sonde-worker',
      'ScaledObject sonde-worker',
      'Secret sonde',
      'Service sonde',
    ]);
  });

  it('set only variables that exist, to values that the service takes, and no secret among the settings', () => {
    const given = { ...settings, ...secrets };
    expect(Object.keys(given).filter((name) => !variables.has(name))).toEqual(
      [],
    );
    const config = loadConfig(given);
    expect(config.auth.required).toBe(true);
    expect(config.http.port).toBe(Number(settings.RELAY_PORT));
    expect(Object.keys(settings).join()).not.toMatch(/KEY\b|PASSWORD|SECRET/);
    for (const text of Object.values(secrets)) expect(text).toMatch(/REPLACE/);
  });

  describe.each(DEPLOYMENTS)('%s', (name) => {
    const { spec } = ofKind('Deployment', name);
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const ports = new Map(
      container.ports.map((port) => [port.name, port.containerPort]),
    );

    it('is selected by its labels, also by its disruption budget', () => {
      const { labels } = spec.template.metadata;
      expect(spec.selector.matchLabels).toEqual(labels);
      const budget = ofKind('PodDisruptionBudget', name).spec;
      expect(budget.selector.matchLabels).toEqual(labels);
      expect(budget.minAvailable).toBe(1);
    });

    it('has the ports of its settings, where its probes and Prometheus ask', () => {
      expect(ports.get('metrics')).toBe(Number(settings.RELAY_METRICS_PORT));
      const { annotations } = spec.template.metadata;
      expect(annotations['prometheus.io/port']).toBe(
        settings.RELAY_METRICS_PORT,
      );
      const at = name === 'sonde-api' ? 'http' : 'metrics';
      if (at === 'http')
        expect(ports.get(at)).toBe(Number(settings.RELAY_PORT));
      const live = { path: '/health/live', port: at };
      expect(container.startupProbe.httpGet).toEqual(live);
      expect(container.livenessProbe.httpGet).toEqual(live);
      const ready = { path: '/health/ready', port: at };
      expect(container.readinessProbe.httpGet).toEqual(ready);
    });

    it('is given the time to shut down', () => {
      const before = container.lifecycle?.preStop.sleep.seconds ?? 0;
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
        before + shutdownSeconds,
      );
    });

    it('takes its settings and secrets, and runs without rights that it does not need', () => {
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'sonde' } },
        { secretRef: { name: 'sonde' } },
      ]);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(mebibytes(container.resources.limits.memory)).toBeGreaterThan(
        name === 'sonde-api' ? 512 : 1.5 * Number(settings.RESEARCH_MEMORY_MB),
      );
    });
  });

  it('start the built files of this project', () => {
    const [worker] = ofKind('Deployment', 'sonde-worker').spec.template.spec
      .containers;
    expect(worker.command).toEqual(['node', 'dist/src/app/worker.js']);
    expect(read('src/app/worker.ts')).toContain('runProcess');
  });

  it('route requests to API processes, metrics to Prometheus alone, and scale the workers', () => {
    const api = ofKind('Deployment', 'sonde-api').spec;
    const service = ofKind('Service').spec;
    expect(service.selector).toEqual(api.template.metadata.labels);
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const [open, closed] = ofKind('NetworkPolicy').spec.ingress;
    expect(open).toEqual({ ports: [{ port: 'http' }] });
    expect(closed).toMatchObject({ ports: [{ port: 'metrics' }] });
    const scaled = ofKind('ScaledObject').spec;
    expect(scaled.scaleTargetRef.name).toBe('sonde-worker');
    expect(scaled.minReplicaCount).toBeGreaterThan(1);
    const worker = ofKind('Deployment', 'sonde-worker').spec;
    // Each deployment would undo what the scaler has done.
    expect(worker.replicas).toBeUndefined();
  });
});

describe('docker-compose.yml', () => {
  interface ComposeService {
    image: string;
    command?: string[];
    stop_grace_period?: string;
    healthcheck: { test?: string[] };
    deploy: { resources: { limits: { memory: string } } };
    environment: Record<string, string>;
    profiles?: string[];
    ports?: string[];
    volumes?: string[];
  }
  const { services } = load(read('docker-compose.yml'), {
    schema: YAML11_SCHEMA,
  }) as { services: Record<string, ComposeService> };
  const { redis, api, worker } = services;

  it('bounds the memory of every service, with room for what each is configured to use', () => {
    const limit = (service: ComposeService): number =>
      mebibytes(service.deploy.resources.limits.memory);
    const most = redis.command!.indexOf('--maxmemory') + 1;
    expect(limit(redis)).toBeGreaterThanOrEqual(
      2 * mebibytes(redis.command![most].replace('gb', 'g')),
    );
    const { memoryBytes } = loadConfig({}).runs;
    expect(limit(worker) * 2 ** 20).toBeGreaterThan(1.5 * memoryBytes);
    expect(limit(api)).toBeGreaterThan(512);
  });

  it('requires a password of Redis, and pins its version', () => {
    expect(api.environment.REDIS_URL).toMatch(/\$\{REDIS_PASSWORD:\?/);
    const required = redis.command!.indexOf('--requirepass') + 1;
    expect(redis.command![required]).toBe('${REDIS_PASSWORD}');
    expect(redis.image).toMatch(/:\d+\.\d+\.\d+/);
  });

  it('has a search of its own on request, which answers programs and no one outside', () => {
    const { searxng } = services;
    expect(searxng.profiles).toEqual(['search']);
    expect(searxng.image).toMatch(/:\d+\.\d+\.\d+-/);
    expect(searxng.ports).toBeUndefined();
    const [settings] = searxng.volumes!.map((mount) => mount.split(':')[0]);
    expect(load(read(settings))).toMatchObject({
      use_default_settings: true,
      server: { limiter: false },
      search: { formats: expect.arrayContaining(['json']) },
    });
    for (const { environment } of [api, worker]) {
      const [, search] = /COMPOSE_PROFILES:\+([^}]+)\}/.exec(
        environment.RELAY_SEARCH,
      )!;
      const { providers } = loadConfig({ RELAY_SEARCH: search }).search;
      expect(providers[0]).toMatchObject({
        kind: 'searxng',
        url: 'http://searxng:8080',
      });
    }
  });

  it('asks each service for its health, a worker at the port of its metrics', () => {
    for (const service of Object.values(services))
      expect(service.healthcheck).toBeDefined();
    expect(worker.healthcheck.test!.at(-1)).toContain('/health/ready');
    expect(worker.environment.RELAY_METRICS_PORT).toMatch(/:-\d+\}$/);
    for (const service of [api, worker])
      expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThan(
        shutdownSeconds,
      );
  });
});
