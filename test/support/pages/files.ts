import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF of plain objects, with its table of offsets. */
function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0].length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map(
    (at) => `${String(at).padStart(10, '0')} 00000 n \n`,
  );
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function stream(contents: string | Buffer, entries = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${contents.length} ${entries} >>\nstream\n`),
    Buffer.from(contents),
    Buffer.from('\nendstream'),
  ]);
}

interface PdfOptions {
  font?: readonly string[];
  /** As it is written before `Tj`. */
  show?: (page: number) => string;
  trailer?: string;
  /** Titles of an outline, the first of which leads to the first page, and so on. */
  outline?: readonly string[];
}

const HELVETICA = ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];

/** A font of a Korean system, named and not embedded. Its objects begin at number 3. */
export const KOREAN_FONT = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo-Medium /Encoding /UniKS-UCS2-H /DescendantFonts [4 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYSMyeongJo-Medium /CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> /FontDescriptor 5 0 R >>',
  '<< /Type /FontDescriptor /FontName /HYSMyeongJo-Medium /Flags 6 /FontBBox [0 -148 1001 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
];

export function pdf(pages: number, options: PdfOptions = {}): Buffer {
  const { font = HELVETICA, show = (page) => `(Page ${page} of the report)` } =
    options;
  const { outline = [] } = options;
  const first = 3 + font.length;
  const last = first + 2 * pages - 1;
  const kids = Array.from(
    { length: pages },
    (_, at) => `${first + 2 * at} 0 R`,
  );
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${outline.length > 0 ? `/Outlines ${last + 1} 0 R` : ''} >>`,
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
    ...font,
  ];
  for (let at = 0; at < pages; at += 1) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * at + 1} 0 R >>`,
      stream(`BT /F1 12 Tf 72 720 Td ${show(at + 1)} Tj ET`),
    );
  }
  if (outline.length > 0) objects.push(`<< /First ${last + 2} 0 R >>`);
  for (const [at, title] of outline.entries()) {
    const next = at + 1 < outline.length ? `/Next ${last + at + 3} 0 R` : '';
    objects.push(
      `<< /Title (${title}) /Parent ${last + 1} 0 R ${next} /Dest [${first + 2 * at} 0 R /Fit] >>`,
    );
  }
  return pdfOf(objects, options.trailer);
}

/** Its password is nobody's. */
export function encryptedPdf(): Buffer {
  const key = '00'.repeat(32);
  return pdf(1, {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`,
  });
}

/** A page whose contents inflate to `bytes` bytes. */
export function pdfBomb(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, ' '), { level: 9 });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    stream(packed, '/Filter /FlateDecode'),
  ]);
}

/** A ZIP archive. `claim` is the uncompressed size that it states, whatever the real one is. */
export function zip(
  files: Readonly<Record<string, string | Buffer>>,
  claim?: number,
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const contents = Buffer.from(text);
    const packed = deflateRawSync(contents, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(contents), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claim ?? contents.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      common,
      Buffer.from(name),
      packed,
    ]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
      common,
      tail,
      Buffer.from(name),
    );
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, index, end]);
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A DOCX with the contents of its `w:body`. */
export function docx(body: string, claim?: number): Buffer {
  return zip(
    {
      '[Content_Types].xml': TYPES,
      '_rels/.rels': RELATIONS,
      'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    },
    claim,
  );
}

export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}
