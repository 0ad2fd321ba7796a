/** Of a URL without scheme there are two. */
export function urlKeys(written: string): string[] {
  const urls = /^www\./i.test(written)
    ? [`https://${written}`, `http://${written}`]
    : [written];
  return urls.map(urlKey).filter((key) => key !== undefined);
}

/**
 * The same for two ways of writing the address of one page: capitals of scheme and host, a slash at the end, a fragment
 * and the marks of campaigns (`utm_source=openai`) make no difference. Undefined if it is no URL.
 */
function urlKey(written: string): string | undefined {
  const plain = written.replaceAll('&amp;', '&');
  if (!URL.canParse(plain)) return undefined;
  const url = new URL(plain);
  url.hash = '';
  const query = [...url.searchParams].filter(([key]) => !/^utm_/i.test(key));
  url.search = new URLSearchParams(query).toString();
  return url.href
    .replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())
    .replace(/\/(?=\?|$)/, '');
}
