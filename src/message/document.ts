/** The one form in which supplied or retrieved knowledge reaches a model. */
export interface Document {
  title: string;
  text: string;
}

/** Documents as a model reads them. Escaped, so that no document can end its own block and pose as another one. */
export function renderDocuments(documents: readonly Document[]): string {
  return documents.map(render).join('\n');
}

function render({ title, text }: Document): string {
  const attribute = escape(title).replaceAll('"', '&quot;');
  return `<document title="${attribute}">\n${escape(text)}\n</document>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
