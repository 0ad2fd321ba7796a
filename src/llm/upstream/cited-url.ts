/**
 * The URL of a cited page; '' unless a browser opens it as a page. Without the tracking parameter of an endpoint and the
 * text that a link highlights: with and without them, the page is one source.
 */
export function pageUrl(url: unknown): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return '';
  return url
    .replace(/:~:.*$/s, '')
    .replace(
      /([?&])utm_source=openai(&|#|$)/,
      (_, before: string, after: string) => (after === '&' ? before : after),
    )
    .replace(/#$/, '');
}
