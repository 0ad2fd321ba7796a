import {
  docx,
  encryptedPdf,
  paragraph,
  pdf,
  zip,
} from '../../../test/support/pages/files';
import { POOL } from '../../../test/support/pages/page-room';
import { DocumentTexts } from '../../sources/pages/document-texts';
import { DOCX } from '../../sources/pages/extraction/media-type';
import type { ExtractionPool } from '../../sources/pages/extraction/extraction-pool';
import { type GivenDocument, givenDocuments } from './given-documents';
import { GivenFiles } from './given-files';

const COMET = 'The comet of 1682 was seen over the mountains in spring.';
const TIDES = 'The tides of the bay are fourteen metres high in autumn.';
const PDF = pdf(1, { show: () => `(${COMET})` });
const DOCX_FILE = docx(paragraph(TIDES));

const file = (bytes: Buffer, type = 'application/pdf'): GivenDocument => ({
  file_data: `data:${type};base64,${bytes.toString('base64')}`,
});

describe(GivenFiles.name, () => {
  const files = new GivenFiles(new DocumentTexts(POOL));
  const read = (...documents: GivenDocument[]) => files.inText(documents, {});

  it('puts the text of each file in its place among the texts', async () => {
    const note = { title: 'Note', text: 'Closed on Monday.' };
    const documents = await read(
      { title: 'Skies', filename: 'comet.pdf', ...file(PDF) },
      note,
      { filename: 'tides.docx', file_data: DOCX_FILE.toString('base64') },
      file(PDF, 'application/pdf;name=a.pdf'),
    );
    expect(documents).toEqual([
      { title: 'Skies', text: expect.stringContaining(COMET) },
      note,
      { title: 'tides.docx', text: expect.stringContaining(TIDES) },
      { title: COMET, text: expect.stringContaining(COMET) },
    ]);
  });

  it('gives the same text each time', async () => {
    const [first, again] = await read(file(PDF), file(PDF));
    expect(again).toEqual(first);
  });

  it.each<[string, GivenDocument]>([
    ['has a password', file(encryptedPdf())],
    [
      'has a password',
      {
        filename: 'a.docx',
        file_data: Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('base64'),
      },
    ],
    [
      'has no text (a scan needs text recognition)',
      file(pdf(1, { show: () => '()' })),
    ],
    ['is damaged, or takes too long to be read', file(PDF.subarray(0, 90))],
    [
      'takes too much memory to be read',
      file(docx('<w:p/>'.repeat(4_000_000))),
    ],
    ['is neither a PDF nor a DOCX', file(zip({ 'a.txt': 'a' }))],
    ['is neither a PDF nor a DOCX', file(Buffer.from('<p>Hello</p>'))],
    ['must be base64, or a data URL with base64', { file_data: 'no base 64' }],
    [
      'must be base64, or a data URL with base64',
      { file_data: 'https://example.com/a.pdf' },
    ],
    ['is longer than 500 pages or 1,000,000 characters', file(pdf(501))],
    [
      'is longer than 500 pages or 1,000,000 characters',
      file(docx(paragraph('longer '.repeat(150_000)))),
    ],
  ])('refuses, and names, a file that %s', async (message, document) => {
    const note = { title: 'Note', text: 'Closed on Monday.' };
    await expect(read(note, document)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'arguments.documents.1.file_data', message }],
    });
  });

  it('refuses files that have too much text together, whatever room each of them would have', async () => {
    const long = file(docx(paragraph('longer '.repeat(140_000))));
    await expect(read(long, long, long)).rejects.toMatchObject({
      errors: [
        {
          path: 'arguments.documents.2.file_data',
          message:
            'has more text than files may have together: 2,000,000 characters',
        },
      ],
    });
  });

  it('lets the files of one key wait for each other alone, and refuses what would wait too long', async () => {
    const gate = Promise.withResolvers<void>();
    const twoKeys = Promise.withResolvers<void>();
    let begun = 0;
    const slow = {
      extract: async (...task: Parameters<ExtractionPool['extract']>) => {
        begun += 1;
        if (begun === 2) twoKeys.resolve();
        await gate.promise;
        return POOL.extract(...task);
      },
    } as unknown as ExtractionPool;
    const busy = new GivenFiles(new DocumentTexts(slow));
    const ask = (name: string) => busy.inText([file(PDF)], { name });
    const first = Array.from({ length: 19 }, () => ask('alice'));
    const other = ask('bob');
    await twoKeys.promise;
    await expect(ask('carol')).rejects.toMatchObject({ code: 'server_busy' });
    expect(begun).toBe(2);
    gate.resolve();
    await Promise.all([...first, other]);
    await expect(ask('carol')).resolves.toHaveLength(1);
  });

  it('does not blame a file for the end of its process', async () => {
    const closed = {
      extract: () => Promise.resolve({ fault: 'timeout' }),
    } as unknown as ExtractionPool;
    const ending = new GivenFiles(new DocumentTexts(closed));
    await expect(ending.inText([file(PDF)], {})).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });
});

describe('a document of a request', () => {
  const faults = (document: object): string[] =>
    (givenDocuments.safeParse([document]).error?.issues ?? []).map(
      ({ path, message }) => `${path.slice(1).join('.')} ${message}`,
    );

  it.each<[object, string[]]>([
    [
      {},
      [
        'text is required, unless there is file_data',
        'title is required with text',
      ],
    ],
    [{ text: 'a' }, ['title is required with text']],
    [
      { title: 'a', text: 'b', file_data: 'c' },
      ['file_data cannot stand beside text'],
    ],
    [
      { title: 'a', text: 'b', filename: 'c' },
      ['filename is of file_data alone'],
    ],
    [{ file_data: 'c' }, []],
  ])('%j is a text with its title, or else a file', (document, expected) => {
    expect(faults(document)).toEqual(expected);
  });

  it('is a file of up to three megabytes, as a data URL too', () => {
    const head = `data:${DOCX};base64,`;
    expect(
      faults({ file_data: head + Buffer.alloc(3_000_000).toString('base64') }),
    ).toEqual([]);
  });

  it('is one of at most ten files', () => {
    const of = (count: number) =>
      givenDocuments.safeParse(Array(count).fill({ file_data: 'a' })).success;
    expect([of(10), of(11)]).toEqual([true, false]);
  });
});
