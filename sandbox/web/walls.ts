import type { Article } from '../corpus/articles/article';
import { escapeHtml } from './html';
import { type Hostile, sendHtml } from './send-page';

const CONSENT =
  'We and our partners store cookies and read them, to measure who reads what. ';

const page = (head: string, body: string): Hostile => {
  const text = `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
  return (x) => sendHtml(x, text);
};

const json = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

const data = (article: Article, more: object) =>
  json({ '@type': 'NewsArticle', headline: article.title, ...more });

/** What stands in the place of an article, each with status 200 and in the form of those that serve it. */
export const WALLS: Record<string, Hostile> = {
  challenge: page(
    '<title>Just a moment...</title>',
    '<h1>Checking your browser</h1><p>Verifying that you are human.</p><script>window._cf_chl_opt={cvId:"3"};</script>',
  ),
  captcha: page(
    '<title>One more step</title>',
    '<p>There was unusual traffic from your network.</p><form action="check"><div id="recaptcha" class="g-recaptcha" data-sitekey="none"></div><input type="hidden" name="q"></form>',
  ),
  'consent-wall': page(
    '<title>Before you continue</title>',
    `<div id="onetrust-banner-sdk"><h2>Your privacy</h2><p>${CONSENT.repeat(20)}</p><button>Accept</button></div>`,
  ),
  'soft-404': page(
    '<title>Page not found | Example</title>',
    '<p>Try the search, or go back to the start.</p>',
  ),
  'empty-shell': page(
    '<title>App</title>',
    '<noscript>Turn JavaScript on.</noscript><div id="root"></div><script>start()</script>',
  ),
  /** The first sentence, and that the rest is to be paid for. */
  paywall: (x, article) => {
    const [first] = article.paragraphs;
    const head = `<title>${escapeHtml(article.title)}</title>${data(article, { isAccessibleForFree: false })}`;
    page(
      head,
      `<h1>${escapeHtml(article.title)}</h1><p>${escapeHtml(first.slice(0, 80))} …</p><p>Subscribe to read on.</p>`,
    )(x, article);
  },
  /** An app whose article is in its data alone. */
  'json-ld': (x, article) => {
    const body = { articleBody: article.paragraphs.join('\n\n') };
    const head = `<title>${escapeHtml(article.title)}</title>${data(article, body)}`;
    page(head, '<div id="root"></div><script>start()</script>')(x, article);
  },
};
