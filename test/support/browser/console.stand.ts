import { Stand, type StandOptions } from '../processes/stand';
import { Browser } from './browser';
import type { Page, PageOptions } from './page';
import { CONSOLE_WORDS } from './console.words';

/** An installation without keys whose research is done by the agent, and a browser. */
export class ConsoleStand {
  private constructor(
    readonly stand: Stand,
    readonly browser: Browser,
  ) {}

  static async start(options: StandOptions = {}): Promise<ConsoleStand> {
    const stand = await Stand.start({
      searchesSandbox: true,
      ...options,
      env: { LITELLM_MODEL: 'sandbox-plain', ...options.env },
    });
    try {
      return new ConsoleStand(stand, await Browser.launch());
    } catch (error) {
      await stand.stop();
      throw error;
    }
  }

  get url(): string {
    return this.stand.apis[0].url;
  }

  open(route = '', options?: PageOptions): Promise<Page> {
    return this.browser.open(`${this.url}/${route}`, options);
  }

  /** No step of this role goes on until faults are cleared. */
  hold(role: string): Promise<void> {
    return this.stand.fault({ kind: 'hang', count: 0, match: { body: role } });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.stand?.stop();
  }
}

/** Begins research on the screen of a page; it then shows the run. */
export async function ask(page: Page, question: string): Promise<void> {
  const w = CONSOLE_WORDS[page.options.language];
  await page.fill('textbox', w.question, question);
  await page.click('button', w.start);
  await page.tab.waitForFunction('/^#\\/(watch|read)\\//.test(location.hash)');
}
