import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { until } from '../../../test/support/until';
import { DocumentFolder } from './document-folder';

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

  const titles = async (folder: DocumentFolder, query: string) =>
    (await folder.search(query, listening)).map(
      ({ document }) => document.title,
    );

  it('sees new, changed and removed files at the next search', async () => {
    const folder = new DocumentFolder(path, 0);
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
    const folder = new DocumentFolder(path, 0);
    await put('a.md', 'A comet');
    expect(await titles(folder, 'comet')).toEqual(['a']);
    await put('a.md', 'A crown');
    await utimes(join(path, 'a.md'), 1, 1);
    expect(await titles(folder, 'comet')).toEqual([]);
  });

  it('reads no file again that has not changed', async () => {
    const folder = new DocumentFolder(path, 0);
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
    const folder = new DocumentFolder(path, 0);
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

  it('logs skipped files once', async () => {
    const folder = new DocumentFolder(path, 0);
    for (const name of ['a.md', 'b.md', 'c.md', 'd.md', 'e.md']) {
      await put(name, Buffer.from([0xff]));
    }
    await put('f.md', 'A comet');
    expect(await titles(folder, 'comet')).toEqual(['f']);
    await put('g.md', 'A comet');
    expect(await titles(folder, 'comet')).toHaveLength(2);
    expect(warn.mock.calls).toEqual([
      [
        'Not searched in RELAY_DOCUMENTS_DIR: a.md is not UTF-8, b.md is not UTF-8, c.md is not UTF-8, and 2 more',
      ],
    ]);
  });

  it('names at the start what is no text, once', async () => {
    for (const name of ['a.pdf', 'b.PDF', 'c.docx', 'd.md', 'e'])
      await put(name, 'A comet');
    const folder = new DocumentFolder(path, 0);
    folder.onApplicationBootstrap();
    await until('a warning', (saw) => saw(warn.mock.calls).length > 0);
    expect(await titles(folder, 'comet')).toEqual(['d']);
    expect(warn.mock.calls).toEqual([
      [
        'Not searched in RELAY_DOCUMENTS_DIR: 4 files of other types than .md and .txt (.pdf, .docx, none)',
      ],
    ]);
  });

  it('fails while the folder is unavailable, and recovers', async () => {
    const folder = new DocumentFolder(path, 0);
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
