import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocumentFolder } from '../../../tools/documents/document-folder';
import { DocumentsSearch } from './documents-search';

describe(DocumentsSearch.name, () => {
  let path: string;
  let documents: DocumentsSearch;
  const never = new AbortController().signal;

  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'sonde-search-'));
    await mkdir(join(path, 'sky'));
    await writeFile(join(path, 'sky/혜성 #1?.md'), '# Comets\n\nA comet.');
    await writeFile(join(path, 'sky/again.md'), '# Comets\n\nA comet returns.');
    const long = 'The tea is green. '.repeat(2_000);
    await writeFile(join(path, 'tea.md'), `# Tea\n\n${long}An oolong.`);
    documents = new DocumentsSearch(new DocumentFolder(path));
  });

  afterAll(() => rm(path, { recursive: true, force: true }));

  const search = async (text: string, limit = 5) =>
    (await documents.search({ text, scope: 'private', limit }, never)).hits;

  it('gives short documents whole, each under its own address', async () => {
    const hits = await search('comet');
    expect(hits).toHaveLength(2);
    expect(hits).toContainEqual({
      document: 'document:sky/%ED%98%9C%EC%84%B1%20%231%3F.md',
      title: 'Comets',
      snippet: '# Comets\n\nA comet.',
      content: '# Comets\n\nA comet.',
    });
  });

  it('gives a long one whole as well, found by its best passage', async () => {
    const [hit, ...more] = await search('oolong');
    expect(more).toEqual([]);
    expect(hit).toMatchObject({ document: 'document:tea.md', title: 'Tea' });
    expect((hit.snippet as string).length).toBeLessThanOrEqual(1_500);
    expect(hit.snippet).toContain('oolong');
    expect(hit.content).toMatch(/^# Tea\n\nThe tea[^]{36000,}An oolong\.$/);
  });

  it('gives no more than it is asked for, and each document once', async () => {
    expect(await search('comet', 1)).toHaveLength(1);
    expect(await search('tea', 3)).toHaveLength(1);
  });

  it('finds nothing where there is nothing', async () => {
    expect(await search('volcano')).toEqual([]);
  });

  it('is unreachable while its folder is', async () => {
    const gone = new DocumentsSearch(new DocumentFolder(join(path, 'gone')));
    const query = { text: 'x', scope: 'private' as const, limit: 1 };
    await expect(gone.search(query, never)).rejects.toMatchObject({
      fault: 'unreachable',
    });
  });
});
