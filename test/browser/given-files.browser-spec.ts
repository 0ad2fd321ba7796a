import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page } from '../support/browser/page';
import { docx, encryptedPdf, paragraph, pdf } from '../support/pages/files';

const COMET = 'The comet of 1682 was seen over the mountains in spring.';
const TIDES = 'The tides of the bay are fourteen metres high in autumn.';
const QUESTION = 'When was the comet of 1682 seen over the mountains?';

/** Lets go of a file over the place for documents. */
const drop = (page: Page, name: string, bytes: Buffer) =>
  page.run(`(() => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], '${name}'));
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);

/** The types of the page are none of these tests. */
interface FileInput {
  uploadFile(path: string): Promise<void>;
}

const choose = async (page: Page, path: string) =>
  ((await page.tab.$('input[type=file]')) as FileInput | null)!.uploadFile(
    path,
  );

describe.each<Language>(['en', 'ko'])(
  'the files of a question (%s)',
  (language) => {
    const w = CONSOLE_WORDS[language];
    const folder = mkdtempSync(join(tmpdir(), 'sonde-files-'));
    let world: ConsoleStand;

    beforeAll(async () => {
      writeFileSync(join(folder, 'tides.docx'), docx(paragraph(TIDES)));
      world = await ConsoleStand.start();
    });
    afterEach(() => world.stand.reset());
    afterAll(async () => {
      await world?.stop();
      rmSync(folder, { recursive: true });
    });

    const openForm = async (): Promise<Page> => {
      const page = await world.open('', { language });
      await page.fill('textbox', w.question, QUESTION);
      await page.run("document.querySelector('form details').open = true");
      return page;
    };

    it('are dropped or chosen, listed with their size, and read for the report', async () => {
      const page = await openForm();
      await drop(page, 'comet.pdf', pdf(1, { show: () => `(${COMET})` }));
      await page.sees('comet.pdf 1');
      await choose(page, join(folder, 'tides.docx'));
      await page.sees('tides.docx');
      await page.click('button', w.start);
      await page.tab.waitForFunction("location.hash.startsWith('#/read/')");
      await page.sees('comet.pdf');
      expect(page.problems()).toEqual([]);
    });

    it('that are too large, alone or together, are refused before they are read', async () => {
      const page = await openForm();
      await page.sees(w.mostFiles);
      await drop(page, 'large.pdf', Buffer.alloc(3_000_001));
      await page.sees(w.tooLarge);
      await drop(page, 'first.pdf', Buffer.alloc(2_000_000));
      await page.sees('first.pdf 2');
      await drop(page, 'second.pdf', Buffer.alloc(1_000_001));
      await page.sees(w.tooMany);
      await page.loses('second.pdf 1');
      await drop(page, 'third.pdf', Buffer.alloc(1_000_000));
      await page.sees('third.pdf 1');
      expect(page.problems()).toEqual([]);
    });

    it('that cannot be read are named in the list, and can be taken out of it', async () => {
      const page = await openForm();
      await drop(page, 'locked.pdf', encryptedPdf());
      await page.sees('locked.pdf 1');
      await page.click('button', w.start);
      await page.problem(/422/);
      await page.sees(`kB ${w.locked}`);
      expect(await page.accessibilityFaults()).toEqual([]);
      await page.screenshot('files-refused');
      await page.click('button', w.removeLocked);
      await page.loses('locked.pdf');
      expect(page.problems()).toEqual([]);
    });
  },
);
