import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { ForeignServer } from './foreign-server';

/** nginx before a service, with nothing but `proxy_pass`: every other setting is its default. */
export class Nginx {
  private constructor(
    private readonly server: ForeignServer,
    private readonly folder: string,
  ) {}

  get url(): string {
    return this.server.url;
  }

  static isInstalled(): boolean {
    return spawnSync('nginx', ['-v']).status === 0;
  }

  static async before(service: string): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-nginx-'));
    const port = await freePort();
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
    const server = await ForeignServer.start(
      ['nginx', '-p', folder, '-c', 'nginx.conf'],
      `http://127.0.0.1:${port}/health/live`,
    );
    return new Nginx(server, folder);
  }

  async stop(): Promise<void> {
    // Its workers survive a master that is killed.
    await this.server.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
