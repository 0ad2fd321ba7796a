import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { until } from '../../../test/support/until';
import { type DocumentExtractor, FileFault } from './document-extractor';
import { DocumentFolder } from './document-folder';

const BROKEN = Buffer.from([0xff]);

describe(DocumentFolder.name, () => {
  let path: string;
  let warn: jest.SpyInstance;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'sonde-folder-'));
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });

  afterEach(async () => {
    warn.mockRestore();
    await rm(path, { recursive: true, force: true });
  });

  const listening = new AbortController().signal;

  const put = (name: string, text: string | Buffer): Promise<void> =>
    writeFile(join(path, name), text);

  const warnings = (): string[] =>
    warn.mock.calls.map(([text]: string[]) =>
      text.replace('Not searched in RELAY_DOCUMENTS_DIR: ', ''),
    );

  const titles = async (folder: DocumentFolder, query: string) =>
    (await folder.search(query, listening)).map(
      ({ document }) => document.title,
    );

  it('sees new, changed and removed files at the next search', async () => {
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    expect(await titles(folder, 'comet')).toEqual([]);
    await put('a.md', '# First\n\nA comet.');
    await put('b.md', '# Second\n\nA comet.');
    expect((await titles(folder, 'comet')).sort()).toEqual(['First', 'Second']);
    await put('a.md', '# First\n\nAn asteroid.');
    await rm(join(path, 'b.md'));
    expect(await titles(folder, 'comet')).toEqual([]);
    expect(await titles(folder, 'asteroid')).toEqual(['First']);
  });

  it('sees a change that keeps the size', async () => {
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    await put('a.md', 'A comet');
    expect(await titles(folder, 'comet')).toEqual(['a']);
    await put('a.md', 'A crown');
    await utimes(join(path, 'a.md'), 1, 1);
    expect(await titles(folder, 'comet')).toEqual([]);
  });

  it('reads no file again that has not changed', async () => {
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    await put('a.md', 'A comet');
    const [first] = await folder.search('comet', listening);
    await put('b.md', 'A crown');
    const [second] = await folder.search('comet', listening);
    expect(second.document).toBe(first.document);
  });

  it('checks the folder once per interval, not at every search', async () => {
    const folder = new DocumentFolder(path);
    await put('a.md', 'A comet');
    expect(await titles(folder, 'comet')).toEqual(['a']);
    await put('b.md', 'A comet');
    expect(await titles(folder, 'comet')).toEqual(['a']);
  });

  it('reads the files once for concurrent searches', async () => {
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    await put('a.md', 'A comet');
    const found = await Promise.all(
      Array.from({ length: 5 }, () => titles(folder, 'comet')),
    );
    expect(found).toEqual(Array(5).fill(['a']));
  });

  it('ends a search that is aborted, and continues to index for the next one', async () => {
    const folder = new DocumentFolder(path);
    await put('a.md', 'A comet');
    const impatient = new AbortController();
    const search = folder.search('comet', impatient.signal);
    impatient.abort();
    await expect(search).rejects.toThrow('abort');
    await put('b.md', 'A comet');
    expect(await titles(folder, 'comet')).toContain('a');
  });

  it('names each file that it skips once, and why', async () => {
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    for (let at = 10; at < 62; at += 1) await put(`${at}.md`, BROKEN);
    await put('a.md', 'A comet');
    expect(await titles(folder, 'comet')).toEqual(['a']);
    await put('b.md', 'A comet');
    expect(await titles(folder, 'comet')).toHaveLength(2);
    await put('c.md', BROKEN);
    expect(await titles(folder, 'comet')).toHaveLength(2);
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^10\.md is not UTF-8, 11\.md is not UTF-8, .*, 59\.md is not UTF-8, and 2 more$/,
      ),
      'c.md is not UTF-8',
    ]);
  });

  it('counts files of other types', async () => {
    for (const name of ['a.png', 'b.PNG', 'c.xlsx', 'd.md', 'e'])
      await put(name, 'A comet');
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    expect(await titles(folder, 'comet')).toEqual(['d']);
    expect(await titles(folder, 'comet')).toEqual(['d']);
    expect(warnings()).toEqual(['4 files of other types (.png, .xlsx, none)']);
  });

  it('searches so much text in all, and what follows once there is room', async () => {
    const limits = { recheckMs: 0, maxTextBytes: 15 };
    const folder = new DocumentFolder(path, limits);
    for (const name of ['a', 'b', 'c']) await put(`${name}.md`, 'A comet 혜성');
    expect(await titles(folder, 'comet')).toEqual(['a', 'b']);
    expect(warnings()).toEqual([
      'c.md is beyond the texts that are searched in all',
    ]);
    await rm(join(path, 'a.md'));
    expect((await titles(folder, 'comet')).sort()).toEqual(['b', 'c']);
  });

  describe('with an extractor', () => {
    const extracted: string[] = [];
    let release: () => void;
    let released: Promise<void>;
    const extractor: DocumentExtractor = {
      extract: async (bytes, extension) => {
        extracted.push(extension);
        await released;
        const text = Buffer.from(bytes).toString();
        if (text === 'bad') throw new FileFault('has a password');
        return { title: '', text, isCut: text.includes('long') };
      },
    };
    const open = (): DocumentFolder => {
      const options = { recheckMs: 0, waitMs: 0, extractor };
      return new DocumentFolder(path, options);
    };

    beforeEach(() => {
      extracted.length = 0;
      released = new Promise((resolve) => (release = resolve));
    });

    it('reads at the start, the texts first, and searches what has been read', async () => {
      await put('a.pdf', 'A comet');
      await put('b.md', 'A comet');
      const folder = open();
      folder.onApplicationBootstrap();
      await until('a file to be extracted', () => extracted.length > 0);
      expect(await titles(folder, 'comet')).toEqual(['b']);
      release();
      await until(
        'all to be found',
        async (saw) => saw(await titles(folder, 'comet')).length === 2,
      );
      expect(extracted).toEqual(['.pdf']);
    });

    it('names what it cannot read, and goes on with the others', async () => {
      release();
      await put('a.PDF', 'bad');
      await put('b.docx', 'A comet');
      await put('c.html', 'A long comet');
      const folder = new DocumentFolder(path, { recheckMs: 0, extractor });
      expect((await titles(folder, 'comet')).sort()).toEqual(['b', 'c']);
      await put('a.PDF', 'A comet');
      expect(await titles(folder, 'comet')).toHaveLength(3);
      expect(extracted).toEqual(['.pdf', '.docx', '.html', '.pdf']);
      expect(warnings()).toEqual([
        'a.PDF has a password, c.html beyond its first part, as it is too long',
      ]);
    });

    it('stops when its process ends, and warns of nothing then', async () => {
      await put('a.pdf', 'bad');
      await put('b.pdf', 'bad');
      const folder = open();
      folder.onApplicationBootstrap();
      await until('a file to be extracted', () => extracted.length > 0);
      folder.onModuleDestroy();
      release();
      expect(await titles(folder, 'comet')).toEqual([]);
      expect(extracted).toEqual(['.pdf']);
      expect(warnings()).toEqual([]);
    });
  });

  it('fails while the folder is unavailable, and recovers', async () => {
    const folder = new DocumentFolder(path, { recheckMs: 0 });
    await put('a.md', 'A comet');
    await rename(path, `${path}.away`);
    const refused = { code: 'DOCUMENTS_UNAVAILABLE' };
    await expect(folder.search('comet', listening)).rejects.toMatchObject(
      refused,
    );
    await expect(folder.search('comet', listening)).rejects.toThrow(
      /^The documents cannot be read at the moment\.$/,
    );
    await rename(`${path}.away`, path);
    expect(await titles(folder, 'comet')).toEqual(['a']);
  });
});
