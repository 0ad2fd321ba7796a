import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until';

/** nginx before a service, with nothing but `proxy_pass`: every other setting is its default. */
export class Nginx {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static isInstalled(): boolean {
    return spawnSync('nginx', ['-v']).status === 0;
  }

  static async before(service: string): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-nginx-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;
       pid ${folder}/nginx.pid;
       error_log ${folder}/error.log;
       events {}
       http {
         access_log off;
         client_body_temp_path ${folder}/body;
         proxy_temp_path ${folder}/proxy;
         fastcgi_temp_path ${folder}/fastcgi;
         uwsgi_temp_path ${folder}/uwsgi;
         scgi_temp_path ${folder}/scgi;
         server {
           listen 127.0.0.1:${port};
           location / { proxy_pass ${service}; }
         }
       }`,
    );
    const process = spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], {
      stdio: 'ignore',
    });
    await until('nginx', async () => {
      if (process.exitCode !== null) throw new Error('nginx has ended');
      return fetch(`${url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return new Nginx(url, process, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
