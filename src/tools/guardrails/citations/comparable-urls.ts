/** The keys by which a URL is compared: two if it has no scheme. */
export function urlKeys(written: string): string[] {
  const urls = /^www\./i.test(written)
    ? [`https://${written}`, `http://${written}`]
    : [written];
  return urls.map(urlKey).filter((key) => key !== undefined);
}

/**
 * Equal for two spellings of one address: the case of scheme and host, a trailing slash, the parameter that OpenAI adds to
 * its citations and a text fragment, which no page can read, are ignored. Everything else could carry data and is compared:
 * query, campaign parameters, fragment. Undefined if it is not a URL.
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
