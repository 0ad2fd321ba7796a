import type { Browser as Chromium, BrowserContext } from 'puppeteer-core';
import { Downloads } from './downloads';
import { Page, type PageOptions } from './page';

/** Tabs with storage and downloads of their own. */
export class Session {
  private constructor(
    private readonly context: BrowserContext,
    private readonly downloads: Downloads,
  ) {}

  static async open(chromium: Chromium, folder: string): Promise<Session> {
    const context = await chromium.createBrowserContext();
    const control = await chromium.target().createCDPSession();
    const downloads = await Downloads.below(folder, control, context.id);
    return new Session(context, downloads);
  }

  /** A new tab, once the page is loaded. */
  async open(url: string, options?: PageOptions): Promise<Page> {
    const tab = await this.context.newPage();
    return Page.open(tab, this.downloads, url, options);
  }

  /** Closes its tabs and forgets its storage. */
  close(): Promise<void> {
    return this.context.close();
  }
}
