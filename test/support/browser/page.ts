import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ElementHandle,
  KeyInput,
  Locator,
  Page as Tab,
} from 'puppeteer-core';
import { LIMIT_MS, until } from '../until';
import { accessibilityFaults } from './accessibility';
import type { Downloads } from './downloads';
import { PageProblems } from './page.problems';

export type Language = 'en' | 'ko';
export type Theme = 'light' | 'dark';
/** The narrowest window that is supported, and a usual one. */
export type Width = 360 | 1280;

export interface PageOptions {
  language?: Language;
  theme?: Theme;
  width?: Width;
}

const LOCALES = { en: 'en-US', ko: 'ko-KR' } as const;
const HEIGHTS = { 360: 740, 1280: 900 } as const;
const TOO_WIDE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const isWide = scrollWidth > clientWidth;
  return [...document.querySelectorAll('body *')]
    .filter((one) => isWide
      ? one.getBoundingClientRect().right > clientWidth
      : one.matches('header, nav, button, h1, h2') && one.scrollWidth > one.clientWidth)
    .map((one) => one.cloneNode().outerHTML);
})()`;

/** One tab, used by what a person reads in it: visible text, and role with accessible name. */
export class Page {
  /** The URL of every request, in order. */
  readonly urls: string[] = [];
  private readonly found: PageProblems;

  private constructor(
    readonly tab: Tab,
    private readonly downloads: Downloads,
    readonly options: Required<PageOptions>,
  ) {
    this.found = new PageProblems(tab);
    tab.on('request', (request) => void this.urls.push(request.url()));
  }

  static async open(
    tab: Tab,
    downloads: Downloads,
    url: string,
    options: PageOptions = {},
  ): Promise<Page> {
    const { language = 'en', theme = 'light', width = 1280 } = options;
    const page = new Page(tab, downloads, { language, theme, width });
    tab.setDefaultTimeout(LIMIT_MS);
    await page.emulate();
    await tab.goto(url);
    return page;
  }

  /** The part of its address after the host. */
  get path(): string {
    const { pathname, search, hash } = new URL(this.tab.url());
    return pathname + search + hash;
  }

  /** All visible text. */
  text(): Promise<string> {
    return this.run('document.body?.innerText ?? ""');
  }

  /** Waits until the page shows this text. */
  sees(text: string): Promise<void> {
    return this.shows(text, true);
  }

  /** Waits until the page shows this text no more. */
  loses(text: string): Promise<void> {
    return this.shows(text, false);
  }

  /** Waits for an element by its role and its complete accessible name. */
  find(role: string, name: string): Promise<ElementHandle> {
    return this.located(role, name, (one) => one.waitHandle());
  }

  async click(role: string, name: string): Promise<void> {
    // A tab in the background draws nothing, so that no element of it ever stands still.
    await this.tab.bringToFront();
    await this.located(role, name, (one) => one.click());
  }

  /** Types into a field in place of what is there. */
  async fill(role: string, name: string, text: string): Promise<void> {
    await this.tab.bringToFront();
    await this.located(role, name, (one) => one.fill(text));
  }

  press(key: KeyInput): Promise<void> {
    return this.tab.keyboard.press(key);
  }

  /** The value of an expression in the page. */
  run<T>(expression: string): Promise<T> {
    return this.tab.evaluate(expression) as Promise<T>;
  }

  /** What went wrong since the last call, see `PageProblems`. */
  problems(): string[] {
    return this.found.take();
  }

  /** Waits for a problem that is meant to be, which `problems` then leaves out. */
  async problem(pattern: RegExp): Promise<void> {
    await this.wait(
      () => Promise.resolve(this.found.takeOne(pattern) !== undefined),
      `has no problem ${pattern}`,
    );
  }

  /** See `accessibilityFaults`. */
  accessibilityFaults(): Promise<string[]> {
    return accessibilityFaults(this.tab);
  }

  /** The elements that make the page wider than its window; without one, menus, buttons and headings that are cut off. */
  tooWide(): Promise<string[]> {
    return this.run(TOO_WIDE);
  }

  /** Saves a picture of the whole page if the variable SCREENSHOTS names a folder. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const { language, theme, width } = this.options;
    // Makes the browser lay the page out, whose height the picture has.
    await this.run('document.documentElement.scrollHeight');
    await this.tab.screenshot({
      path: join(
        folder,
        `${name}-${language}-${theme}-${width}.png`,
      ) as `${string}.png`,
      fullPage: true,
    });
  }

  /** The path of the file that a click makes it download. */
  download(role: string, name: string): Promise<string> {
    return this.downloads.during(() => this.click(role, name));
  }

  close(): Promise<void> {
    return this.tab.close();
  }

  private async emulate(): Promise<void> {
    const { language, theme, width } = this.options;
    await this.tab.setViewport({ width, height: HEIGHTS[width] });
    await this.tab.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: theme },
    ]);
    const control = await this.tab.createCDPSession();
    const locale = LOCALES[language];
    await control.send('Emulation.setLocaleOverride', { locale });
    // `navigator.languages`, and the header with weights, as a person's own setting would make them.
    await control.send('Emulation.setUserAgentOverride', {
      userAgent: await this.tab.browser().userAgent(),
      acceptLanguage: `${locale},${language}`,
    });
  }

  private async located<T>(
    role: string,
    name: string,
    act: (locator: Locator<object>) => Promise<T>,
  ): Promise<T> {
    const wanted = `::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`;
    try {
      return await act(this.tab.locator(wanted));
    } catch (cause) {
      throw await this.fault(`has no ${role} “${name}” to use`, cause);
    }
  }

  private shows(text: string, wanted: boolean): Promise<void> {
    return this.wait(
      // A page on its way to the next has no context to ask.
      async () =>
        (await this.text().catch(() => undefined))?.includes(text) === wanted,
      wanted ? `does not show “${text}”` : `still shows “${text}”`,
    );
  }

  private async wait(
    look: () => Promise<boolean>,
    otherwise: string,
  ): Promise<void> {
    await until('the page', look).catch(async (cause) => {
      throw await this.fault(otherwise, cause);
    });
  }

  private async fault(what: string, cause?: unknown): Promise<Error> {
    const text = (await this.text().catch(String)).slice(0, 2000);
    return new Error(`${this.path} ${what}; it shows:\n${text}`, { cause });
  }
}
