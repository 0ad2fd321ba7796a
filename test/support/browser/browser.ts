import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser as Chromium } from 'puppeteer-core';
import { findChromium } from './chromium';
import { Page, type PageOptions } from './page';
import { Session } from './session';

const LAUNCH_MS = 120_000;
const CLOSE_MS = 30_000;

/** Chromium, started once per test file. It ends with this process, however that ends. */
export class Browser {
  private readonly sessions: Session[] = [];

  private constructor(
    private readonly chromium: Chromium,
    private readonly downloads: string,
  ) {}

  static async launch(): Promise<Browser> {
    const chromium = await puppeteer.launch({
      executablePath: findChromium(),
      // The end of the pipe is the end of Chromium, even if this process is killed.
      pipe: true,
      timeout: LAUNCH_MS,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    return new Browser(
      chromium,
      mkdtempSync(join(tmpdir(), 'sonde-downloads-')),
    );
  }

  /** A session that shares nothing with others, as a new private window does; its pages are its tabs. */
  async session(): Promise<Session> {
    const session = await Session.open(this.chromium, this.downloads);
    this.sessions.push(session);
    return session;
  }

  /** The first page of a new session. */
  async open(url: string, options?: PageOptions): Promise<Page> {
    return (await this.session()).open(url, options);
  }

  /** Closes all sessions. */
  async clear(): Promise<void> {
    await Promise.all(this.sessions.splice(0).map((one) => one.close()));
  }

  async close(): Promise<void> {
    const process = this.chromium.process();
    const kill = setTimeout(() => process?.kill('SIGKILL'), CLOSE_MS);
    await this.chromium.close().finally(() => clearTimeout(kill));
    rmSync(this.downloads, { recursive: true, force: true });
  }
}
