import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Browser } from '../support/browser/browser';
import { findChromium } from '../support/browser/chromium';
import { Stand } from '../support/processes/stand';
import { TcpProxy } from '../support/processes/tcp-proxy';

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src *; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'";
const FILES: Record<string, string> = {
  '/': `<!doctype html><html lang="en"><head><title>Greetings</title><link rel="icon" href="data:,"></head><body>
<h1>Greetings</h1><p hidden>Not to be seen</p><p id="out">Nobody yet</p><label>Name <input value="none"></label>
<label>Story <textarea>one\ntwo\nthree</textarea></label>
<button type="button">Greet</button><a href="/file.txt" download>Save</a><script src="/greet.js"></script></body></html>`,
  '/greet.js': `document.querySelector('button').onclick = () =>
  document.querySelector('#out').textContent = 'Hello, ' + document.querySelector('input').value;`,
  '/file.txt': 'saved',
};

describe('the harness of the browser tests', () => {
  let browser: Browser;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer(({ url: path }, reply) => {
      if (path === '/stream') return void reply.write('first');
      const text = FILES[path!];
      const type = path!.endsWith('.js') ? 'text/javascript' : 'text/html';
      reply.writeHead(text ? 200 : 404, {
        'content-type': type,
        'content-security-policy': POLICY,
      });
      reply.end(text);
    });
    await new Promise<void>((resolve) =>
      server.listen(0, '127.0.0.1', resolve),
    );
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await Browser.launch();
  });
  afterEach(() => browser?.clear());
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('names what to install where there is no Chromium', () => {
    expect(() => findChromium({ PATH: '/nowhere' })).toThrow(
      'apt-get install chromium fonts-nanum',
    );
    expect(() => findChromium({ CHROMIUM: '/nowhere/chromium' })).toThrow(
      'CHROMIUM=/nowhere/chromium is not a program',
    );
  });

  it('opens a page in the language, theme and width that are asked for', async () => {
    const seen = `[navigator.language, String(navigator.languages), Intl.DateTimeFormat().resolvedOptions().locale,
      matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]`;
    const usual = await browser.open(url);
    expect(await usual.run(seen)).toEqual([
      'en-US',
      'en-US,en',
      'en-US',
      false,
      1280,
    ]);
    const korean = await browser.open(url, {
      language: 'ko',
      theme: 'dark',
      width: 360,
    });
    expect(await korean.run(seen)).toEqual([
      'ko-KR',
      'ko-KR,ko',
      'ko-KR',
      true,
      360,
    ]);
  });

  it('finds by role and name, types, clicks, and sees visible text only', async () => {
    const page = await browser.open(url);
    await page.fill('textbox', 'Name', '해녀 "dive"');
    await page.fill('textbox', 'Story', 'short');
    expect(await page.run("document.querySelector('textarea').value")).toBe(
      'short',
    );
    await page.click('button', 'Greet');
    await page.sees('Hello, 해녀 "dive"');
    await page.loses('Nobody yet');
    expect(await page.text()).not.toContain('Not to be seen');
    expect(page.problems()).toEqual([]);
  });

  it('collects errors of the console, violations of the policy, exceptions and failed requests', async () => {
    const page = await browser.open(url);
    await page.run("console.error('wrong')");
    await page.run("document.body.setAttribute('style', 'color: red')");
    await page.run("void setTimeout(() => { throw new Error('thrown') })");
    await page.run("fetch('/missing?q=1').then(() => 0)");
    await page.run("fetch('http://127.0.0.1:9/').catch(() => 0)");
    await page.run(
      "fetch('/stream', { signal: AbortSignal.abort() }).catch(() => 0)",
    );
    for (const pattern of [
      /^console: wrong$/,
      /^console: Applying inline style violates the following Content Security Policy/,
      /^exception: thrown$/,
      /^GET \/missing\?q=1: 404$/,
      /^GET http:\/\/127\.0\.0\.1:9\/: net::ERR_/,
    ])
      await page.problem(pattern);
    expect(page.problems()).toEqual([]);
  });

  it('names what axe finds serious', async () => {
    const page = await browser.open(url);
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.run("document.body.append(document.createElement('button'))");
    expect(await page.accessibilityFaults()).toEqual([
      expect.stringMatching(/^critical button-name: [^]*button:nth-child/),
    ]);
    expect(page.problems()).toEqual([]);
  });

  it('keeps what a page downloads', async () => {
    const page = await browser.open(url);
    const path = await page.download('link', 'Save');
    expect(path).toMatch(/\/file\.txt$/);
    expect(readFileSync(path, 'utf8')).toBe('saved');
  });

  it('shares storage among the tabs of a session only', async () => {
    const session = await browser.session();
    const first = await session.open(url);
    await first.run("localStorage.setItem('kept', 'yes')");
    const kept = "localStorage.getItem('kept')";
    expect(await (await session.open(url)).run(kept)).toBe('yes');
    expect(await (await browser.open(url)).run(kept)).toBeNull();
  });

  it('clicks in a tab that is behind another', async () => {
    const session = await browser.session();
    const behind = await session.open(url);
    const before = await session.open(url);
    expect(await behind.run('document.visibilityState')).toBe('hidden');
    await behind.click('button', 'Greet');
    await behind.sees('Hello, none');
    expect(await before.run('document.visibilityState')).toBe('hidden');
  });

  it('sees a stream end when its connection is cut, and a page reload once it is healed', async () => {
    const proxy = await TcpProxy.to({ port: Number(new URL(url).port) });
    const page = await browser.open(`http://127.0.0.1:${proxy.port}`);
    await page.run(
      "fetch('/stream').then(async ({ body }) => { const reader = body.getReader(); await reader.read(); document.title = 'open'; await reader.read(); }).catch(() => (document.title = 'cut'))&&0",
    );
    await page.tab.waitForFunction("document.title === 'open'");
    proxy.cut();
    await page.tab.waitForFunction("document.title === 'cut'");
    await proxy.heal();
    await page.tab.reload();
    await page.sees('Greetings');
    await page.problem(/^GET \/stream: net::ERR_/);
    expect(page.problems()).toEqual([]);
    await proxy.close();
  });

  it('opens the reference of the service', async () => {
    const stand = await Stand.start({ workers: 0 });
    try {
      const page = await browser.open(`${stand.apis[0].url}/docs`);
      await page.sees('Read a chat that is on record');
      await page.screenshot('docs');
      expect(page.problems()).toEqual([]);
      expect(await page.tooWide()).toEqual([]);
    } finally {
      await stand.stop();
    }
  });
});
