import { urlKey } from '../search/url-key';

interface Edition {
  url: string;
  language?: string;
  alternates?: readonly string[];
}

/** `/en/`, `/pt-BR/`. */
const LANGUAGE = /\/([a-z]{2})(-[a-z]{2,4})?(?=\/|$)/i;

/**
 * Whether one of the pages that were read is this page in another language: this page says so, or the addresses differ
 * in their languages alone, which are those of the pages. Equal paths at two hosts say nothing: encyclopedias in two
 * languages are two works.
 */
export function isOtherEdition(
  page: Edition,
  read: readonly Edition[],
): boolean {
  const own = urlKey(page.url);
  const alternates = new Set((page.alternates ?? []).map(urlKey));
  const bare = withoutLanguage(page);
  return read.some(
    (other) =>
      urlKey(other.url) !== own &&
      (alternates.has(urlKey(other.url)) ||
        (bare !== undefined &&
          bare === withoutLanguage(other) &&
          languageOf(page) !== languageOf(other))),
  );
}

/** The address without the language of its page; undefined if it has none. */
function withoutLanguage(page: Edition): string | undefined {
  const [found, language] = LANGUAGE.exec(page.url) ?? [];
  if (!found || language.toLowerCase() !== languageOf(page)) return undefined;
  return page.url.replace(found, '/');
}

function languageOf({ language }: Edition): string | undefined {
  return language?.slice(0, 2).toLowerCase();
}
