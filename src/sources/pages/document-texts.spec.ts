import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import {
  docx,
  encryptedPdf,
  paragraph,
  pdf,
  zip,
} from '../../../test/support/pages/files';
import { POOL } from '../../../test/support/pages/page-room';
import { DocumentFolder } from '../../tools/documents/document-folder';
import { DocumentTexts } from './document-texts';

const COMET = 'The comet was seen over the mountains in spring.';
const page = (text: string): string =>
  `0 0 Td /F1 20 Tf 0 -30 Td (Skies) Tj /F1 11 Tf 0 -30 Td (${text}) Tj 0 -30 Td ()`;

describe(DocumentTexts.name, () => {
  const never = new AbortController().signal;
  const extractor = new DocumentTexts(POOL);
  let path: string;
  let warn: jest.SpyInstance;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'sonde-documents-'));
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(async () => {
    warn.mockRestore();
    await rm(path, { recursive: true });
  });

  const put = (name: string, bytes: string | Buffer): Promise<void> =>
    writeFile(join(path, name), bytes);

  it.each<[string, Buffer | string, string]>([
    ['a.pdf', pdf(1, { show: () => page(COMET) }), '# Skies\n\n'],
    [
      'b.DOCX',
      docx(
        `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Skies</w:t></w:r></w:p>${paragraph(COMET)}`,
      ),
      '## Skies\n\n',
    ],
    ['c.html', `<nav>Menu</nav><h1>Skies</h1><p>${COMET}</p>`, '# Skies\n\n'],
  ])(
    'lets %s be found and read, its headings as in Markdown',
    async (name, bytes, heading) => {
      await put(name, bytes);
      const folder = new DocumentFolder(path, { extractor, waitMs: 60_000 });
      const [{ document }] = await folder.search('comet', never);
      expect(document).toMatchObject({ name, title: 'Skies' });
      const text = document.passages.join('\n\n').replace(/\n+/g, '\n\n');
      expect(text).toBe(heading + COMET);
      expect(warn).not.toHaveBeenCalled();
    },
  );

  it('says of each file that it cannot read what is to be done about it', async () => {
    await put('broken.pdf', pdf(3).subarray(0, 90));
    await put('locked.pdf', encryptedPdf());
    await put('no.docx', zip({ 'a.txt': 'a' }));
    await put('scan.pdf', pdf(1, { show: () => '()' }));
    await put('bomb.docx', docx('<w:p/>'.repeat(4_000_000)));
    await put('long.pdf', pdf(501));
    await put('well.pdf', pdf(1, { show: () => `(${COMET})` }));
    const folder = new DocumentFolder(path, { extractor, waitMs: 60_000 });
    expect(await folder.search('comet', never)).toHaveLength(1);
    expect(await folder.search('report', never)).not.toEqual([]);
    expect(warn.mock.calls).toEqual([
      [
        'Not searched in RELAY_DOCUMENTS_DIR: bomb.docx takes too much memory to be read, ' +
          'broken.pdf is damaged, or takes too long to be read, locked.pdf has a password, ' +
          'long.pdf beyond its first part, as it is too long, no.docx is not what its name says, ' +
          'scan.pdf has no text (a scan needs text recognition)',
      ],
    ]);
  });
});
