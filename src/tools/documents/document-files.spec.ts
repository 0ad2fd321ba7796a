import {
  mkdir,
  mkdtemp,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFiles, readDocument } from './document-files';

describe(findFiles.name, () => {
  let base: string;
  let folder: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'sonde-files-'));
    folder = join(base, 'documents');
    await mkdir(folder);
  });

  afterEach(() => rm(base, { recursive: true }));

  async function put(
    name: string,
    text: string | Buffer = 'x',
  ): Promise<string> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  async function find(): Promise<{ names: string[]; faults: string[] }> {
    const faults: string[] = [];
    const files = await findFiles(folder, (name, fault) =>
      faults.push(`${name} ${fault}`),
    );
    return { names: files.map(({ name }) => name), faults };
  }

  it('finds documents at any depth, in the order of their names', async () => {
    await put('b.txt');
    await put('a/deep/한글.MD');
    await put('a/c.md');
    await put('a/picture.png');
    for (const name of ['c.PDF', 'd.docx', 'e.htm', 'f.html']) await put(name);
    expect(await find()).toEqual({
      names: [
        'a/c.md',
        'a/deep/한글.MD',
        'b.txt',
        'c.PDF',
        'd.docx',
        'e.htm',
        'f.html',
      ],
      faults: [],
    });
  });

  it('skips hidden files', async () => {
    await put('.git/description.md');
    await put('.notes.md');
    expect(await find()).toEqual({ names: [], faults: [] });
  });

  it('follows no link out of the folder, and none to a folder', async () => {
    await writeFile(join(base, 'secret.md'), 'x');
    await mkdir(join(base, 'documents-of-others'));
    await writeFile(join(base, 'documents-of-others/more.md'), 'x');
    await symlink('../secret.md', join(folder, 'secret.md'));
    await symlink('../documents-of-others', join(folder, 'others'));
    await symlink('../documents-of-others', join(folder, 'others.md'));
    await symlink('.', join(folder, 'loop'));
    await symlink('.', join(folder, 'loop.md'));
    await symlink('nowhere', join(folder, 'dangling.md'));
    expect(await find()).toEqual({
      names: [],
      faults: [
        'dangling.md cannot be read',
        'loop.md is not a file',
        'others.md is a link out of the folder',
        'secret.md is a link out of the folder',
      ],
    });
  });

  it('finds a file that is linked inside the folder once', async () => {
    await truncate(await put('..2026_11_21/guide.md'), 5_000_000);
    await symlink('..2026_11_21', join(folder, '..data'));
    for (let i = 0; i < 11; i++) {
      await symlink('..data/guide.md', join(folder, `${i}.md`));
    }
    const { names, faults } = await find();
    expect(names).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('skips a text over 5 MB, and another document over 20 MB', async () => {
    await truncate(await put('a.md'), 5_000_001);
    await truncate(await put('b.md'), 5_000_000);
    await truncate(await put('c.pdf'), 20_000_001);
    await truncate(await put('d.pdf'), 20_000_000);
    expect(await find()).toEqual({
      names: ['b.md', 'd.pdf'],
      faults: ['a.md is over 5 MB', 'c.pdf is over 20 MB'],
    });
  });

  it('stops after 10,000 files', async () => {
    for (let i = 0; i < 10_002; i++) await put(`${10_000 + i}.md`, '');
    const { names, faults } = await find();
    expect(names).toHaveLength(10_000);
    expect(faults).toEqual(['20000.md is beyond the first 10000 files']);
  });

  it('fails where there is no folder', async () => {
    await rm(folder, { recursive: true });
    await expect(find()).rejects.toThrow('ENOENT');
  });
});

describe(readDocument.name, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sonde-files-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function read(name: string, text: string | Buffer) {
    await writeFile(join(folder, name), text);
    return readDocument(join(folder, name));
  }

  it.each([
    ['a.md', '\ufeff# The *Guide* ##\n\nText', 'The *Guide*'],
    ['b.md', 'Text\n\n## 둘째 제목\r\n\nText', '둘째 제목'],
    ['c.txt', 'Text\n#hashtag', 'c'],
    ['notes.old.md', '# \nText', 'notes.old'],
    ['d.md', `# ${'long '.repeat(100)}`, 'long '.repeat(40).trim()],
  ])('entitles %s', async (name, text, title) => {
    expect(await read(name, text)).toEqual({
      title,
      text: text.replace('\ufeff', ''),
    });
  });

  it('refuses other encodings than UTF-8', async () => {
    const euckr = Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]);
    await expect(read('e.txt', euckr)).rejects.toThrow('is not UTF-8');
  });
});
