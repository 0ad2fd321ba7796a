/** The only form in which supplied or retrieved knowledge reaches a model. */
export interface Document {
  title: string;
  text: string;
}

/** Renders documents for a model. Text is escaped, so no document can close its own block and imitate another. */
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
