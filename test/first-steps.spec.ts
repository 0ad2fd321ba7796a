import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { loadConfig } from '../src/config/load-config';

const ROOT = join(__dirname, '..');

describe('script/key', () => {
  const run = (...args: string[]) =>
    spawnSync(join(ROOT, 'script/key'), args, { encoding: 'utf8' });

  it('prints a new key, and what the service takes for it', () => {
    const [one, other] = [run('alice').stdout, run('alice').stdout];
    expect(one).not.toBe(other);
    const [, key] = /alice: +(\S{30,})$/m.exec(one)!;
    const [, pair] = /RELAY_API_KEYS=(\S+)$/m.exec(one)!;
    const { apiKeys } = loadConfig({ RELAY_API_KEYS: pair }).auth;
    const hash = createHash('sha256').update(key).digest('hex');
    expect([...apiKeys]).toEqual([['alice', [hash]]]);
  });

  it.each([[], [''], ['a:b'], ['a,b'], ['$(id)']])('refuses %j', (...args) => {
    expect(run(...args)).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('examples/webhook/receiver.mjs', () => {
  const secret = `whsec_${Buffer.from('a secret of this very test').toString('base64')}`;
  const script = join(ROOT, 'examples/webhook/receiver.mjs');
  const body = '{"type":"invocation.completed"}';

  it('takes what is signed, and nothing else', async () => {
    const child = spawn(process.execPath, [script, '0'], {
      env: { SECRET: secret },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    while (!/http:\S+/.test(output)) await once(child.stdout, 'data');
    const [url] = /http:\S+/.exec(output)!;
    const post = async (at: Date, signed: string, sent = signed) => {
      const { status } = await fetch(url, {
        method: 'POST',
        body: sent,
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', at, signed)}`,
        },
      });
      return status;
    };
    const now = new Date();
    expect(await post(now, body)).toBe(204);
    expect(await post(now, body, `${body} `)).toBe(400);
    expect(await post(new Date(now.getTime() - 600_000), body)).toBe(400);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
    expect(output.split(body)).toHaveLength(2);
    child.kill();
    await once(child, 'close');
  });

  it('says in one line that it has no secret', () => {
    const { status, stderr } = spawnSync(process.execPath, [script], {
      env: {},
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'SECRET is not whsec_<base64>.\n',
    });
  });
});
