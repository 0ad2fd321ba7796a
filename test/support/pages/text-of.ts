import { extractPage } from '../../../src/sources/pages/extraction/page-extraction';
import type { Page } from '../../../src/sources/pages/page.types';

export type PageText = Omit<Page, 'url' | 'fetchedAt'>;

/** What a page is read as. Fails the test if it is refused. */
export async function textOf(
  body: string | Uint8Array,
  contentType = 'text/html; charset=utf-8',
): Promise<PageText> {
  const found = await extractPage({
    url: 'https://example.com/page',
    bytes: new Uint8Array(Buffer.from(body)),
    contentType,
    contentLanguage: '',
  });
  if (!('text' in found)) throw new Error(JSON.stringify(found));
  return found;
}
