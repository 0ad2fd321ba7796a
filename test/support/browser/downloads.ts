import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from 'puppeteer-core';

/** The files that the pages of one session save. */
export class Downloads {
  private constructor(
    private readonly control: CDPSession,
    private readonly folder: string,
  ) {}

  /** `context`: the id of the session in Chromium. */
  static async below(
    parent: string,
    control: CDPSession,
    context: string | undefined,
  ): Promise<Downloads> {
    const folder = mkdtempSync(join(parent, 'session-'));
    await control.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      browserContextId: context,
      downloadPath: folder,
      eventsEnabled: true,
    });
    return new Downloads(control, folder);
  }

  /** The path of the file that `action` makes a page save, once it is complete. */
  async during(action: () => Promise<void>): Promise<string> {
    const saved = Promise.withResolvers<string>();
    let begun: { guid: string; suggestedFilename: string } | undefined;
    this.control.on('Browser.downloadWillBegin', (event) => (begun ??= event));
    this.control.on('Browser.downloadProgress', ({ guid, state }) => {
      if (guid !== begun?.guid) return;
      const name = begun.suggestedFilename;
      if (state === 'completed') saved.resolve(join(this.folder, name));
      if (state === 'canceled')
        saved.reject(new Error(`the download of ${name} was cancelled`));
    });
    try {
      await action();
      return await saved.promise;
    } finally {
      this.control.removeAllListeners();
    }
  }
}
