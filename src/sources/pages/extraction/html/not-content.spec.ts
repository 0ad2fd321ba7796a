import { extractPage } from '../page-extraction';

const URL = 'https://example.com/news/rivers';
const SENTENCE = 'The Danube runs through ten countries, more than any other. ';
const ARTICLE = `<h1>Rivers</h1>${`<p>${SENTENCE.repeat(4)}</p>`.repeat(10)}`;
const SHORT = '<p>The Danube is 2,850 km long.</p>';
const BANNER = `<div id="onetrust-banner-sdk"><h2>We value your privacy</h2><p>${'We and our partners store cookies. '.repeat(20)}</p><button>Accept</button></div>`;

/** The text of a page, or its fault. */
async function outcomeOf(html: string): Promise<string> {
  const found = await extractPage({
    url: URL,
    bytes: new Uint8Array(Buffer.from(`<!doctype html>${html}`)),
    contentType: 'text/html; charset=utf-8',
    contentLanguage: '',
  });
  if ('fault' in found) return found.fault;
  return 'refresh' in found ? found.refresh : found.text;
}

const data = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe('what stands in place of a page', () => {
  it.each([
    [
      'challenge',
      '<title>Just a moment...</title><h1>example.com</h1><p>Verifying you are human.</p><script>(function(){window._cf_chl_opt={cvId:"3"};})();</script>',
    ],
    [
      'challenge',
      '<title>Checking</title><script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script><p>Making sure you are not a bot.</p>',
    ],
    [
      'captcha',
      '<p>Our systems have detected unusual traffic.</p><form action="index"><div id=recaptcha class="g-recaptcha" data-sitekey=a></div><input type=hidden name=q></form>',
    ],
    [
      'captcha',
      '<p>Type the characters you see.</p><form action="/errors/validateCaptcha"><input type=text id=captchacharacters></form>',
    ],
    ['consent_wall', `<title>Before you continue</title>${BANNER}`],
    [
      'consent_wall',
      `<form action="https://consent.example.com/save"><p>${'Your data. '.repeat(30)}</p><button>Reject all</button></form>`,
    ],
    [
      'paywall',
      `<h1>Rivers</h1><p>${SENTENCE}</p>${data({ '@type': 'NewsArticle', isAccessibleForFree: 'False', articleBody: SENTENCE.repeat(99) })}`,
    ],
    ['soft_404', '<title>Page not found | Example</title><p>Try the search.'],
    ['soft_404', '<title>Example</title><h1>404</h1><p>Nothing is here.</p>'],
    ['soft_404', '<title>Example - 페이지를 찾을 수 없습니다</title><p>홈으로'],
    ['soft_404', '<body class="blog error404"><p>Nothing is here.</p></body>'],
    [
      'empty_shell',
      '<title>App</title><div id="root">Loading…</div><script src=a.js></script><footer>Imprint</footer>',
    ],
    [
      'empty_shell',
      '<noscript>You need to enable JavaScript to run this app.</noscript><p>Wait</p><script src=a.js></script>',
    ],
  ])('is a %s', async (fault, html) => {
    expect(await outcomeOf(html)).toBe(fault);
  });

  it.each([
    [
      'an article about captchas, with one at its comments',
      `<title>What is a captcha?</title>${ARTICLE}<form><textarea></textarea><div class="g-recaptcha"></div></form>`,
    ],
    [
      'a short page with a captcha at its form',
      `${SHORT}<form><input type=email><div class="h-captcha"></div></form>`,
    ],
    [
      'a short page whose visitors are measured',
      `${SHORT}<script src="https://www.google.com/recaptcha/api.js?render=a"></script><script>window.__CF$cv$params={}</script><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`,
    ],
    [
      'a short page about a challenge',
      `<title>Just a moment…</title>${SHORT}<pre>window._cf_chl_opt</pre>`,
    ],
    ['a page about the status 404', `<title>404 Not Found</title>${ARTICLE}`],
    [
      'a short page about the status 404',
      `<title>How to handle 404 errors</title><h1>What a 404 is</h1>${SHORT}`,
    ],
    ['an article beside a banner', `${BANNER}${ARTICLE}`],
    [
      'a short page beside a banner',
      `${BANNER}<p>${SENTENCE}</p><p>2,850 km long.</p>`,
    ],
    [
      'a page about cookies to bake',
      `<div class="cookie-recipes"><p>${SENTENCE}</p></div>`,
    ],
    ['a short page', SHORT],
    [
      'a page that an app has rendered',
      `<div id="root"><h1>Status</h1><p>All is well.</p></div><script src=a.js></script>`,
    ],
    [
      'an article that is to be paid for and there',
      `${ARTICLE}${data({ '@type': 'NewsArticle', isAccessibleForFree: false })}`,
    ],
    [
      'a page whose neighbour is to be paid for',
      `${SHORT}${data({ '@type': 'NewsArticle', url: '/news/other', isAccessibleForFree: false })}`,
    ],
  ])('is not %s', async (_, html) => {
    expect(await outcomeOf(html)).toMatch(/Danube|All is well/);
  });
});

describe('the text in the data of a page', () => {
  const body = SENTENCE.repeat(50);
  const shell = '<h1>Rivers</h1><p>The Danube.</p>';

  it.each([
    ['of its only article', { '@type': 'BlogPosting', articleBody: body }],
    [
      'of the article of its address among others',
      {
        '@graph': [
          { '@type': 'Article', url: '/other', articleBody: 'No. '.repeat(99) },
          { '@type': ['NewsArticle'], url: URL, articleBody: body },
        ],
      },
    ],
    ['in HTML', { '@type': 'Article', articleBody: `<p>${body}</p>` }],
  ])('is read where the markup has little: %s', async (_, value) => {
    expect(await outcomeOf(shell + data(value))).toBe(body.trim());
  });

  it.each([
    [
      'is of another page',
      { '@type': 'Article', url: '/a', articleBody: body },
    ],
    ['is no article', { '@type': 'Comment', articleBody: body }],
    ['is of 5 MB', { '@type': 'Article', articleBody: body.repeat(2_000) }],
    ['is no text', { '@type': 'Article', articleBody: [body] }],
  ])('is left where it %s', async (_, value) => {
    expect(await outcomeOf(shell + data(value))).toMatch(/The Danube\.$/);
  });

  it('is left where the markup has as much', async () => {
    const value = {
      '@type': 'Article',
      articleBody: 'Other words. '.repeat(9),
    };
    expect(await outcomeOf(ARTICLE + data(value))).not.toContain('Other words');
  });

  it.each(['[', '{"@graph":', '{"mainEntity":'])(
    'nested 10,000 times in %s is none',
    async (open) => {
      const script = `<script type="application/ld+json">${open.repeat(10_000)}1`;
      expect(await outcomeOf(`${shell}${script}</script>`)).toMatch(/Danube/);
    },
  );
});
