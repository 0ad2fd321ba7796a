import type { Source } from '../../corpus/search';

const BLOCK = /<document\b([^>]*)>([\s\S]*?)<\/document>/gi;
const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&',
};

const unescapeXml = (text: string) =>
  text.replace(
    /&(lt|gt|quot|apos|#39|amp);/g,
    (_, name: string) => ENTITIES[name],
  );

export const withoutDocuments = (text: string) =>
  text.replace(BLOCK, '').trim();

/**
 * Documents of the caller: `<document title="…">…</document>` blocks, XML-escaped, anywhere in the input. They have no
 * URL.
 */
export function documentsIn(text: string): Source[] {
  return [...text.matchAll(BLOCK)].map(([, attributes, body]) => ({
    title: unescapeXml(/title="([^"]*)"/.exec(attributes)?.[1] ?? 'document'),
    url: null,
    paragraphs: unescapeXml(body)
      .split(/\n+/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
  }));
}
