import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load-config';
import { DocumentFolder } from '../documents/document-folder';
import type { Document } from '../../platform/message/document';
import { declarationsOf } from '../tool.decorator';
import { SearchDocumentsTool } from './search-documents.tool';

const [{ options }] = declarationsOf(SearchDocumentsTool);
const comets: Document[] = [
  { title: 'Comets', text: 'A comet has a tail.' },
  { title: 'Tea', text: 'Green tea is not fermented.' },
];

const passing = {
  title: 'Tides',
  text: `${'The moon draws the sea. '.repeat(10)} No comet does.`,
};

function search(
  args: { query: string; limit?: number; documents?: Document[] },
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const parsed = options.parameters.parse(args) as Parameters<
    SearchDocumentsTool['run']
  >[0];
  const { folder } = loadConfig(environment).documents;
  const tool = new SearchDocumentsTool(
    folder === undefined ? undefined : new DocumentFolder(folder),
  );
  return tool.run(parsed, { signal: new AbortController().signal });
}

/** `length` characters that all tell of comets. */
const textOf = (length: number): string =>
  'The comet came. '.repeat(length / 16);

const titlesIn = (text: string): string[] =>
  [...text.matchAll(/^<document title="(.*)">$/gm)].map(([, title]) => title);

describe(SearchDocumentsTool.name, () => {
  it('returns the hits as documents, rendered for a model', async () => {
    expect(await search({ query: 'comets', documents: comets })).toBe(
      '<document title="Comets">\nA comet has a tail.\n</document>',
    );
  });

  it('escapes a document that contains the end of its block', async () => {
    const documents = [{ title: 'a"b', text: 'comet </document> R&D' }];
    expect(await search({ query: 'comet', documents })).toBe(
      '<document title="a&quot;b">\ncomet &lt;/document&gt; R&amp;D\n</document>',
    );
  });

  it('reports that nothing is found, or that there are no documents', async () => {
    expect(await search({ query: '고려청자', documents: comets })).toBe(
      'No document has any of these words.',
    );
    expect(await search({ query: 'comets' })).toBe(
      'There are no documents to search.',
    );
  });

  it('names the parts of a long document that it returns, in their order', async () => {
    const filler = 'Nothing of note happened in this year. '.repeat(35);
    const pages = ['comet', filler, 'comet comet', filler, filler, filler];
    const text = pages.map((page) => page.padEnd(1_400)).join('\n\n');
    const found = await search({
      query: 'comet',
      documents: [{ title: 'Chronicle', text }],
    });
    expect(found).toMatch(
      /^<document title="Chronicle \(parts 1, \d of \d\)">/,
    );
    expect(found).toMatch(/\ncomet\n\n\[…\]\n\ncomet comet/);
  });

  it('returns five documents by default', async () => {
    const documents = Array.from({ length: 30 }, (_, i) => ({
      title: `Comet ${i}`,
      text: 'seen',
    }));
    expect(titlesIn(await search({ query: 'comet', documents }))).toHaveLength(
      5,
    );
    expect(
      titlesIn(await search({ query: 'comet', documents, limit: 20 })),
    ).toHaveLength(20);
  });

  it('returns at most 20,000 characters of several documents', async () => {
    const documents = Array.from({ length: 20 }, (_, i) => ({
      title: `Comet ${i}`,
      text: textOf(9_600),
    }));
    const found = await search({ query: 'comet', documents, limit: 20 });
    expect(found.length).toBeLessThan(21_000);
    expect(found.length).toBeGreaterThan(18_000);
    expect(titlesIn(found)).toHaveLength(5);
  });

  it('counts long titles too', async () => {
    const documents = Array.from({ length: 20 }, () => ({
      title: 'comet '.repeat(166),
      text: 'Seen again.'.repeat(20),
    }));
    const found = await search({ query: 'comet', documents, limit: 20 });
    expect(titlesIn(found)).toHaveLength(16);
  });

  describe('with a folder', () => {
    let RELAY_DOCUMENTS_DIR: string;

    beforeEach(async () => {
      RELAY_DOCUMENTS_DIR = await mkdtemp(join(tmpdir(), 'sonde-search-'));
    });

    afterEach(() => rm(RELAY_DOCUMENTS_DIR, { recursive: true }));

    it('searches the files too, and returns the documents of the request first', async () => {
      for (let i = 0; i < 20; i++) {
        await writeFile(
          join(RELAY_DOCUMENTS_DIR, `${i}.md`),
          i === 7 ? '# Halley\n\nThe best known comet.' : 'Other things.',
        );
      }
      const found = await search(
        { query: 'comet', documents: [...comets, passing] },
        { RELAY_DOCUMENTS_DIR },
      );
      expect(titlesIn(found)).toEqual(['Comets', 'Halley', 'Tides']);
    });

    it('searches the folder without documents of the request', async () => {
      await writeFile(
        join(RELAY_DOCUMENTS_DIR, 'a.txt'),
        '혜성은 꼬리가 있다.',
      );
      expect(await search({ query: '혜성' }, { RELAY_DOCUMENTS_DIR })).toBe(
        '<document title="a">\n혜성은 꼬리가 있다.\n</document>',
      );
      expect(await search({ query: 'comet' }, { RELAY_DOCUMENTS_DIR })).toBe(
        'No document has any of these words.',
      );
    });
  });

  it.each([
    [{ query: '' }],
    [{ query: 'x'.repeat(1_001) }],
    [{ query: 'x', limit: 0 }],
    [{ query: 'x', limit: 21 }],
    [{ query: 'x', limit: 1.5 }],
    [{ query: 'x', documents: [{ title: '', text: 'x' }] }],
  ])('refuses the arguments %j', (args) => {
    expect(options.parameters.safeParse(args).success).toBe(false);
  });

  it('hides the documents argument from models', () => {
    expect(options.hidden).toEqual(['documents']);
  });
});
