import fc from 'fast-check';
import mammoth from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';
import { READERS } from '../../test/support/report/read.report';
import { reportOf } from '../../test/support/report/reports';
import { FORMATS } from './formats';
import { cleanLine, safeHref } from './parse/clean';
import { renderReport } from './render';
import { shown } from './writers/pdf/pdf-fonts';

/** Without spaces, for lines are broken anywhere, and in the characters of the font of PDF. */
const squeezed = (text: string): string => shown(text).replace(/\s+/g, '');

describe('the formats of a report', () => {
  it('have the citations that were given, whatever is in them', async () => {
    const words = fc.constantFrom(
      '김치',
      '<b>',
      '](x)',
      '**',
      '\u0000',
      '\ud800',
      '🥬',
      '"',
      '\\',
      '1. ',
      '_a_',
      '|',
      '\u202e',
      "=cmd|'/C'!A1",
      '``',
      '“',
      '\t',
    );
    const line = fc
      .array(words, { minLength: 1, maxLength: 5 })
      .map((all) => `a${all.join('')}b`);
    const citation = fc.record({
      url: fc.constantFrom(
        'https://a.example/(x)',
        'https://한글.example/김치?a=1&b="2"',
        'javascript:x',
        'document:1',
      ),
      title: line,
      quote: fc.option(line, { nil: undefined }),
      verdict: fc.constantFrom('quote_matched', undefined),
      start_index: fc.nat(30),
      end_index: fc.nat(30),
    });
    const given = fc.array(citation, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(given, async (citations) => {
        const input = {
          ...reportOf('# 제목\n\n첫 문장입니다. | 둘째 문장입니다.\n\n끝.'),
          citations,
        };
        const expected = new Set(
          citations.map(({ title, url, quote }) =>
            JSON.stringify([
              squeezed(cleanLine(title)),
              safeHref(url),
              quote ? squeezed(cleanLine(quote)) : null,
            ]),
          ),
        );
        for (const format of FORMATS) {
          const { bytes } = await renderReport({ format, input });
          const found = (await READERS[format](bytes)).map(
            ({ title, href, quote }) =>
              JSON.stringify([
                squeezed(title),
                href,
                quote === null ? null : squeezed(quote),
              ]),
          );
          expect({ format, found: new Set(found) }).toEqual({
            format,
            found: expected,
          });
        }
      }),
      { numRuns: 6 },
    );
  });

  it('hold the same text in Word, with its lists, tables and marks', async () => {
    const input = reportOf(
      '# 김치\n\n첫 **문장**.\n\n3. 셋\n   - 안\n4. 넷\n\n> 따온 말\n\n| 해 | 일 |\n|---|---|\n| 1766 | 고추 |\n\n```\na\nb\n```\n',
      [{ at: '고추', quote: '고추를 넣는다' }],
    );
    const { bytes } = await renderReport({ format: 'docx', input });
    const { value, messages } = await mammoth.convertToHtml({
      buffer: Buffer.from(bytes),
    });
    expect(messages.filter(({ type }) => type === 'error')).toEqual([]);
    for (const html of [
      '<strong>문장</strong>',
      '<li>셋<ul><li>안</li></ul></li>',
      '<p>따온 말</p>',
      '고추<a href="#citation_1">[1]</a>',
      'a<br />b',
    ])
      expect(value).toContain(html);
  });

  it('hold the same text in PDF, on as many pages as it takes', async () => {
    const rows = Array.from(
      { length: 80 },
      (_, at) => `| ${at} | 김치 ${at}번째 **줄** 🥬 |`,
    );
    const long = `| 긴 칸 | ${'아주 긴 글입니다. '.repeat(400)} |`;
    const wide = `|${'a|'.repeat(15)}\n|${'-|'.repeat(15)}\n|${'넓은 표|'.repeat(15)}`;
    const deep = `${'- '.repeat(20)}깊은 곳`;
    const input = reportOf(
      `# 김치의 역사\n\n## 둘째\n\n| 해 | 일 |\n|---|--:|\n${rows.join('\n')}\n${long}\n\n${wide}\n\n${deep}\n\n${'['.repeat(20_000)} 끝입니다.`,
      [{ at: '79번째' }],
    );
    const { bytes } = await renderReport({ format: 'pdf', input });
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const { text } = await extractText(pdf, { mergePages: true });
    // The numbers of pages stand within the text.
    const words = squeezed(text.replaceAll(/\d+ \/ \d+/g, ''));
    for (let at = 0; at < 80; at += 1)
      expect(words).toContain(
        `${at}김치${at}번째줄□`.replace('79번째', '79번째[1]'),
      );
    expect(words.split('아주긴글입니다.')).toHaveLength(401);
    expect(words.split('넓은표')).toHaveLength(16);
    expect(words).toContain('깊은곳');
    expect(words).toContain('끝입니다.');
    expect(pdf.numPages).toBeLessThan(20);
    const [{ title, items }] = (await pdf.getOutline())!;
    expect([title, items.map((one: { title: string }) => one.title)]).toEqual([
      '김치의 역사',
      ['둘째', '인용'],
    ]);
    expect(await pdf.getDestinations()).toHaveProperty('citation-1');
    await pdf.loadingTask.destroy();
  });
});
