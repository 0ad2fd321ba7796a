/** Of a URL without scheme there are two. */
export function urlKeys(written: string): string[] {
  const urls = /^www\./i.test(written)
    ? [`https://${written}`, `http://${written}`]
    : [written];
  return urls.map(urlKey).filter((key) => key !== undefined);
}

/**
 * The same for two ways of writing one address: capitals of scheme and host, a slash at the end, the mark that OpenAI adds to
 * what it cites, and a text fragment, which no page can read, make no difference. Anything else could carry data, and counts:
 * query, campaign marks, fragment. Undefined if it is no URL.
 */
function urlKey(written: string): string | undefined {
  const plain = written.replaceAll('&amp;', '&');
  if (!URL.canParse(plain)) return undefined;
  const url = new URL(plain);
  url.hash = url.hash.replace(/:~:.*/, '');
  const query = [...url.searchParams].filter(
    ([key, value]) => key !== 'utm_source' || value !== 'openai',
  );
  url.search = new URLSearchParams(query).toString();
  return url.href
    .replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())
    .replace(/\/?#?$/, '')
    .replace(/\/(?=[?#])/, '');
}
