import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../support/client';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

describe("Redis servers whose socket is in the test's folder.", () => {
  let folder: string;
  let env: Record<string, string>;
  let service: Service | undefined;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-one-'));
    env = { RELAY_DATA_DIR: join(folder, 'data'), TMPDIR: folder };
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await noServers();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = async (): Promise<Client> => {
    service = await Service.start('all-in-one', env);
    return new Client(service.url);
  };

  /** the service without configuration */
  const servers = (): string[] =>
    execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(folder) && !line.startsWith('ps '));
  const noServers = () =>
    until('all servers to have stopped', (saw) => saw(servers()).length === 0);

  it('logs in one line each what is embedded and where it listens', async () => {
    await start();
    const plain = service!.output.split('\n').filter((l) => !l.startsWith('{'));
    expect(plain).toEqual([
      expect.stringMatching(/^Redis: embedded, data in .+\/data\/redis$/),
      expect.stringMatching(/^Upstream: built-in sandbox at http:/),
      expect.stringMatching(/^Sonde is listening on http:\/\/127\.0\.0\.1:/),
      '',
    ]);
  });

  it('retains finished runs over a restart and a kill, and never leaves a Redis behind', async () => {
    const invocation = await (await start()).submit();
    const record = await invocation.wait();
    expect(record.status).toBe('completed');
    expect(servers()).not.toEqual([]);

    expect(await service!.stop('SIGTERM')).toBe(0);
    expect(servers()).toEqual([]);

    expect(await invocation.through(await start()).read()).toEqual(record);
    await service!.stop('SIGKILL');
    await noServers();

    const client = await start();
    expect(await invocation.through(client).read()).toEqual(record);
    expect((await client.research()).body.status).toBe('completed');
  });

  it('stops together with the npm that started it', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: join(__dirname, '../../..'),
      env: {
        PATH: process.env.PATH,
        RELAY_PORT: '0',
        RELAY_ENV_FILE: 'none',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      const ended = once(npm, 'exit');
      let output = '';
      npm.stdout.on('data', (text: Buffer) => (output += text.toString()));
      await until('the service to listen', (saw) =>
        saw(output).includes('Sonde is listening on'),
      );
      npm.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      await noServers();
    } finally {
      if (servers().length > 0) process.kill(-npm.pid!, 'SIGKILL');
    }
  });

  it('continues after a kill, however soon it restarts', async () => {
    await start();
    await service!.stop('SIGKILL');
    expect((await (await start()).research()).body.status).toBe('completed');
  });
});

describe('the service with everything configured', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, workers: 0, researchMs: 1_000 });
  });
  beforeEach(() => stand.reset());
  afterAll(() => stand.stop());

  const start = (): Promise<Service> => Service.start('all-in-one', stand.env);

  it('embeds nothing', async () => {
    const service = await start();
    const { body } = await new Client(service.url).research();
    expect(body.status).toBe('completed');
    expect(service.output).not.toMatch(/embedded|sandbox/);
    expect((await stand.stats()).creates).toBe(1);
    expect(await service.stop()).toBe(0);
  });

  it('responds to waiting callers at shutdown, and the next process continues the run', async () => {
    const service = await start();
    await stand.fault({ kind: 'pause', fraction: 0.5 });
    const waiting = new Client(service.url).research();
    await until(
      'one run to be at the upstream',
      async (saw) => saw(await stand.stats()).in_flight === 1,
    );
    const ended = service.stop('SIGTERM');
    const { status, headers, body } = await waiting;
    expect(status).toBe(202);
    expect(headers.get('connection')).toBe('close');
    expect(await ended).toBe(0);

    await stand.clearFaults();
    const next = await start();
    const record = await new Client(next.url).settled(
      headers.get('location')!,
      {
        'x-invocation-token': body.invocation_token,
      },
    );
    expect(record.body.status).toBe('completed');
    expect(
      (await stand.stats()).creates_by_invocation[body.invocation_id],
    ).toBe(1);
    expect(await next.stop()).toBe(0);
  });

  it('reports in one line that its port is in use', async () => {
    const first = await start();
    const { port } = new URL(first.url);
    const second = Service.spawn('all-in-one', {
      ...stand.env,
      RELAY_PORT: port,
    });
    expect(await second.end()).toBe(1);
    expect(second.output).toMatch(
      new RegExp(`^RELAY_PORT is ${port}, .+ Example: \\d+$`, 'm'),
    );
    expect(await first.stop()).toBe(0);
  });
});

describe('an API or a worker alone', () => {
  it.each([
    ['main', 'REDIS_URL', {}],
    ['worker', 'REDIS_URL', {}],
    ['worker', 'LITELLM_BASE_URL', { REDIS_URL: 'redis://127.0.0.1:1' }],
  ] as const)(
    '%s reports in one line that it requires %s',
    async (entry, name, env) => {
      const service = Service.spawn(entry, env);
      expect(await service.end()).toBe(1);
      expect(service.output).toMatch(
        new RegExp(`^${name} is not set; .+ Example: .+\\n$`),
      );
    },
  );
});
