import { freePort } from './free-port';
import { ForeignServer } from './foreign-server';

const start = async (script: string) => {
  const health = `http://127.0.0.1:${await freePort()}/health`;
  return ForeignServer.start([process.execPath, '-e', script, health], health);
};
const SERVE = `const { port } = new URL(process.argv[1]);
  require('node:http').createServer((_, res) => res.end()).listen(port, '127.0.0.1')`;

describe('a server of others', () => {
  it('is there once it answers, and gone once it is stopped', async () => {
    const server = await start(SERVE);
    expect((await fetch(server.url)).status).toBe(200);
    await server.stop();
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    await server.stop();
  });

  it('that ends instead is quoted', async () => {
    await expect(
      start(`console.error('no such model'); process.exitCode = 3`),
    ).rejects.toThrow(/exited with 3\n.*no such model/s);
  });

  it('that is not installed is named', async () => {
    await expect(
      ForeignServer.start(['no-such-program'], 'http://127.0.0.1:9'),
    ).rejects.toThrow('spawn no-such-program ENOENT');
  });
});
