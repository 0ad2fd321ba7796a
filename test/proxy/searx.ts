import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ForeignServer } from '../support/processes/foreign-server';
import { freePort } from '../support/processes/free-port';

const PROGRAMS = ['searx-run', 'kiwix-serve', 'zimwriterfs'];
/** Where Debian's package has what its programs do not find by themselves. */
const SHARE = '/usr/share/python3-searx';
/** A white PNG of 48×48, which zimwriterfs requires. */
const ICON =
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAANUlEQVR42u3OQREAAAwCIPuX1ha7PSAB6TMREhISEhISEhISEhISEhISEhISEhISEhISErozgGLmhwmEpasAAAAASUVORK5CYII=';

/** The programs of Debian's packages searx, kiwix-tools and zim-tools that are not installed here. */
export function missingPrograms(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return PROGRAMS.filter(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  );
}

/** Pages in a ZIM archive, served and searched by kiwix-serve. */
export class Kiwix {
  private constructor(
    private readonly server: ForeignServer,
    private readonly folder: string,
  ) {}

  get url(): string {
    return this.server.url;
  }

  /** @param pages title -> text. */
  static async start(pages: Record<string, string>): Promise<Kiwix> {
    const folder = mkdtempSync(join(tmpdir(), 'kiwix-'));
    const html = join(folder, 'html');
    mkdirSync(html);
    writeFileSync(join(html, 'icon.png'), Buffer.from(ICON, 'base64'));
    for (const [i, [title, text]] of Object.entries(pages).entries())
      writeFileSync(
        join(html, `page-${i}.html`),
        `<html><head><meta charset="utf-8"><title>${title}</title></head><body><p>${text}</p></body></html>`,
      );
    const names = 'title description creator publisher name'.split(' ');
    await promisify(execFile)('zimwriterfs', [
      '--welcome=page-0.html',
      '--illustration=icon.png',
      '--language=eng',
      ...names.map((name) => `--${name}=wiki`),
      html,
      join(folder, 'wiki.zim'),
    ]);
    const port = String(await freePort());
    const args = ['--port', port, '--address', '127.0.0.1'];
    const server = await ForeignServer.start(
      ['kiwix-serve', ...args, join(folder, 'wiki.zim')],
      `http://127.0.0.1:${port}`,
    );
    return new Kiwix(server, folder);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A searx whose only engine is a kiwix-serve. */
export class Searx {
  private constructor(
    private readonly server: ForeignServer,
    private readonly folder: string,
  ) {}

  get url(): string {
    return this.server.url;
  }

  static async start(kiwixUrl: string): Promise<Searx> {
    const folder = mkdtempSync(join(tmpdir(), 'searx-'));
    const port = await freePort();
    const settings = join(folder, 'settings.yml');
    // JSON, which is valid YAML.
    writeFileSync(settings, JSON.stringify(settingsOf(kiwixUrl, port)));
    const server = await ForeignServer.start(
      ['searx-run'],
      `http://127.0.0.1:${port}`,
      {
        PATH: process.env.PATH,
        HOME: folder,
        SEARX_SETTINGS_PATH: settings,
      },
    );
    return new Searx(server, folder);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function settingsOf(kiwixUrl: string, port: number): object {
  return {
    general: { debug: false, instance_name: 'searx' },
    search: { safe_search: 0, autocomplete: '', default_lang: '' },
    server: {
      port,
      bind_address: '127.0.0.1',
      secret_key: 'the secret of a test',
      base_url: false,
      image_proxy: false,
      http_protocol_version: '1.0',
      method: 'GET',
      default_http_headers: {},
    },
    ui: {
      static_path: `${SHARE}/static`,
      templates_path: `${SHARE}/templates`,
      default_theme: 'simple',
      default_locale: '',
      theme_args: { simple_style: 'auto' },
    },
    outgoing: {
      // The first search of a new process is slow.
      request_timeout: 20,
      useragent_suffix: '',
      pool_connections: 10,
      pool_maxsize: 10,
      enable_http2: false,
    },
    enabled_plugins: [],
    engines: [
      {
        name: 'kiwix',
        engine: 'xpath',
        shortcut: 'kx',
        enable_http: true,
        categories: 'general',
        paging: false,
        search_url: `${kiwixUrl}/search?books.name=wiki&pattern={query}`,
        results_xpath: '//div[@class="results"]/ul/li',
        url_xpath: './a/@href',
        title_xpath: './a',
        content_xpath: './cite',
      },
    ],
    locales: { en: 'English' },
    doi_resolvers: { 'oadoi.org': 'https://oadoi.org/' },
    default_doi_resolver: 'oadoi.org',
  };
}
