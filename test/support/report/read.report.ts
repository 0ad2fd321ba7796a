import { parseHTML } from 'linkedom';
import mammoth from 'mammoth';
import MarkdownIt from 'markdown-it';
import { getDocumentProxy } from 'unpdf';

const markdown = new MarkdownIt('commonmark');

/** A citation as a reader of a file finds it. */
export interface FoundCitation {
  number: number;
  title: string;
  href: string | null;
  quote: string | null;
}

/** The citations of a report in this format, read with programs that did not write it. */
export const READERS: Record<
  string,
  (bytes: Uint8Array) => FoundCitation[] | Promise<FoundCitation[]>
> = {
  json: (bytes) =>
    (
      JSON.parse(Buffer.from(bytes).toString()) as {
        citations: FoundCitation[];
      }
    ).citations.map(({ number, title, href, quote }) => ({
      number,
      title,
      href,
      quote,
    })),
  html: (bytes) => {
    const page = parseHTML(Buffer.from(bytes).toString()).document;
    return [...page.querySelectorAll('ol.citations > li')].map((item) => {
      const link = item.querySelector('a');
      return {
        number: Number(item.getAttribute('value')),
        title: item.querySelector('cite')!.textContent ?? '',
        href: link?.getAttribute('href') ?? null,
        quote: item.querySelector('blockquote')?.textContent ?? null,
      };
    });
  },
  docx: async (bytes) => {
    const buffer = Buffer.from(bytes);
    const { value } = await mammoth.convertToHtml({ buffer });
    const page = parseHTML(`<html><body>${value}</body></html>`).document;
    const anchors = page.querySelectorAll('a[id^=citation_]');
    return [...anchors].map((anchor) => {
      const line = anchor.parentElement!;
      const link = line.querySelector('a[href]');
      const next = line.nextElementSibling?.textContent ?? '';
      const [, quote] = /^“(.*)”$/s.exec(next) ?? [];
      return {
        number: Number(anchor.id.slice('citation_'.length)),
        title: link?.textContent ?? line.textContent!.replace(/^\[\d+\] /, ''),
        href: link?.getAttribute('href') ?? null,
        quote: quote ?? null,
      };
    });
  },
  pdf: readPdf,
  md: (bytes) =>
    [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/^\[\^(\d+)\]: (.*)$/gm),
    ].map(([, number, line]) => {
      const html = markdown.renderInline(line);
      const page = parseHTML(`<html><body>${html}</body></html>`).document;
      const link = page.querySelector('a');
      const [, title, quote] =
        /^(.*?)(?: \((?:[a-z]+:[^\s()]+)\))?(?: — “(.*)”)?(?: \([^()]*\))?$/.exec(
          page.body.textContent ?? '',
        )!;
      return {
        number: Number(number),
        title: link?.textContent ?? title,
        href: link?.getAttribute('href') ?? null,
        quote: quote ?? null,
      };
    }),
};

/** Entries begin at the margin with their number in brackets, below the last heading; lines of a quote are indented. */
async function readPdf(bytes: Uint8Array): Promise<FoundCitation[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const lines: { text: string; x: number; href: string | null }[] = [];
  for (let at = 1; at <= pdf.numPages; at += 1) {
    const page = await pdf.getPage(at);
    const links = (await page.getAnnotations()) as {
      rect: number[];
      unsafeUrl?: string;
    }[];
    const { items } = await page.getTextContent();
    let isNew = true;
    for (const item of items) {
      if (!('str' in item)) continue;
      const [x, y] = (item.transform as number[]).slice(4);
      const link = links.find(
        ({ rect: [left, low, right, high], unsafeUrl }) =>
          unsafeUrl && x + 1 > left && x < right && y >= low && y < high,
      );
      if (isNew) lines.push({ text: '', x, href: null });
      const line = lines.at(-1)!;
      line.text += item.str;
      line.href ??= link?.unsafeUrl ?? null;
      isNew = item.hasEOL;
    }
  }
  await pdf.loadingTask.destroy();
  const shown = lines.filter(
    ({ text }) => !/^(\d+ \/ \d+)?$/.test(text.trim()),
  );
  const from = shown.findLastIndex(({ text }) =>
    /^(인용|Citations)$/.test(text),
  );
  const found: (FoundCitation & { words: string })[] = [];
  let margin: number | undefined;
  for (const { text, x, href } of from < 0 ? [] : shown.slice(from + 1)) {
    margin ??= x;
    const [, number, title] = /^\[(\d+)\] (.*)$/.exec(text) ?? [];
    const last = found.at(-1);
    if (number && Math.abs(x - margin) < 1)
      found.push({
        number: Number(number),
        title,
        href,
        quote: null,
        words: '',
      });
    else if (Math.abs(x - margin) < 1) last!.title += text;
    else last!.words += `${text}\n`;
  }
  return found.map(({ words, ...one }) => {
    const [, quote] = /^“([^]*)”\n/.exec(words) ?? [];
    return { ...one, quote: quote ?? null };
  });
}
