import type { Article } from '../corpus/articles/article';
import { library } from '../corpus/library';

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const words = {
  ko: {
    menu: ['처음으로', '모든 글', '소개', '문의'],
    more: '함께 읽을 글',
    foot: '내장된 예시 문서입니다. 쿠키 정책 · 이용 약관',
  },
  en: {
    menu: ['Home', 'All pages', 'About', 'Contact'],
    more: 'Read next',
    foot: 'A bundled example page. Cookie policy · Terms of use',
  },
};

export interface HtmlOptions {
  /** The charset of a `meta` element; none without it. */
  meta?: string;
  /** HTML inside of the article, after its paragraphs. */
  after?: string;
}

/** An article with what surrounds one on the web: a menu, links to other pages and a footer. */
export function htmlOf(article: Article, options: HtmlOptions = {}): string {
  const { lang, title, paragraphs } = article;
  const w = words[lang];
  const others = library
    .filter((other) => other.lang === lang && other.topic !== article.topic)
    .slice(0, 3);
  const meta = options.meta ? `<meta charset="${options.meta}">` : '';
  return `<!doctype html>
<html lang="${lang}">
<head>${meta}<title>${escapeHtml(title)}</title></head>
<body>
<header><nav><ul>${w.menu.map((entry) => `<li><a href="/pages/">${entry}</a></li>`).join('')}</ul></nav></header>
<main><article>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${options.after ?? ''}
</article></main>
<aside><h2>${w.more}</h2><ul>${others.map((other) => `<li><a href="/pages/">${escapeHtml(other.title)}</a></li>`).join('')}</ul></aside>
<footer><p>${w.foot}</p></footer>
</body>
</html>
`;
}
