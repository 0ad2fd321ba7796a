import { expectCompletedRun } from '../../support/completed-run';
import { doctor } from '../../support/processes/doctor';
import { Stand } from '../../support/processes/stand';
import { TcpProxy } from '../../support/processes/tcp-proxy';
import { expectProblem } from '../../support/problem';
import { until } from '../../support/until';

/** As docs/security.md recommends it. */
const KEYS = ['~sonde:*', '~{sonde}:*', '&sonde:*'];
const COMMANDS = ['+@all', '-@admin', '-@dangerous'];
const INFORMATION = ['+info', '+client|list', '+bgrewriteaof'];

describe('a user of Redis with restricted permissions', () => {
  let stand: Stand;
  let wire: TcpProxy;
  let env: Record<string, string>;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, workers: 0 });
    wire = await TcpProxy.to({ path: stand.redis.socket });
    const address = `127.0.0.1:${wire.port}`;
    await permit(...KEYS, ...COMMANDS);
    env = { REDIS_URL: `redis://sonde:secret@${address}` };
  });
  afterAll(async () => {
    await stand.stop();
    await wire.close();
  });

  /** Those of the user from now on, also on its open connections. */
  const permit = (...rules: string[]) =>
    stand.redis.call(
      'ACL',
      'SETUSER',
      'sonde',
      'reset',
      'on',
      '>secret',
      ...rules,
    );
  const checks = async () => {
    const { status, body } = await stand.client().get('/health/ready');
    return { status, ...body.checks };
  };
  const diagnosis = async () =>
    (await doctor({ ...stand.env, ...env })).lines.slice(0, 4);

  it('suffices without information: everything works, and what cannot be known is said', async () => {
    await stand.addApi(env);
    const worker = await stand.addWorker(env);
    await expectCompletedRun(stand, await stand.client().submit());
    const chat = await stand.client().post('/api/v1/chat', {
      message: 'Research the history of kimchi in detail',
    });
    expect(chat).toMatchObject({ status: 200, body: { tool_called: true } });
    expect(await checks()).toMatchObject({
      status: 200,
      redis: { status: 'ok' },
      storage: { status: 'ok', detail: expect.stringMatching(/INFO/) },
      queue: { status: 'ok', detail: expect.stringMatching(/CLIENT LIST/) },
    });
    expect(await diagnosis()).toEqual([
      'Redis',
      expect.stringMatching(/may not run INFO$/),
      'Queues',
      expect.stringMatching(/may not run CLIENT LIST$/),
    ]);
    expect(worker.output).not.toMatch(/does not permit/);
    expect(await worker.stop()).toBe(0);
    stand.workers.pop();
  });

  it('is well with the commands for information', async () => {
    await permit(...KEYS, ...COMMANDS, ...INFORMATION);
    await stand.addWorker(env);
    await until(
      'the worker to be seen',
      async (saw) => saw(await checks()).queue.detail === '1 worker',
    );
    expect(await checks()).toMatchObject({
      status: 200,
      queue: { status: 'ok' },
    });
    expect((await checks()).storage).not.toHaveProperty('detail');
    expect((await diagnosis()).slice(0, 2)).toEqual([
      'Redis: ok',
      'Queues: ok',
    ]);
  });

  it('is named where a channel, a key or a script is missing, and works as soon as it is granted', async () => {
    const client = stand.client();
    await permit('~sonde:*', '~{sonde}:*', ...COMMANDS, ...INFORMATION);
    await until('health to name it', async (saw) => {
      const { status, redis } = saw(await checks());
      return status === 503 && redis.detail.startsWith('not_permitted: ');
    });
    expectProblem(await client.research(), {
      status: 503,
      code: 'queue_unavailable',
    });
    expect((await diagnosis())[1]).toMatch(/does not permit the user/);
    expect(stand.apis[0].output).toMatch(/does not permit the user/);
    await permit(...KEYS, ...COMMANDS, ...INFORMATION);
    await until(
      'health to be well',
      async (saw) => saw(await checks()).status === 200,
    );
    await expectCompletedRun(stand, await client.submit());
  });

  it('is named where its password is refused', async () => {
    const refused = { REDIS_URL: env.REDIS_URL.replace('secret', 'wrong') };
    await stand.addApi(refused);
    const { output } = stand.apis.at(-1)!;
    expect(output).toMatch(/Redis refuses the user or the password/);
    expect(output).not.toMatch('wrong');
    const { body } = await stand.client(1).get('/health/ready');
    expect(body.checks.redis.detail).toMatch(/^login_refused: /);
  });
});
