import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { ExtractedText, StructuredText } from '../extraction.types';
import { scanHtml } from './html-scan';
import { isHiding } from './html-tag';

/** Less of the visible text outside of menus means that their end tags are missing. */
const MIN_MAIN_SHARE = 0.2;
/** An article with less of the main text is the wrong part of the page. */
const MIN_ARTICLE_SHARE = 0.6;
const MAY_BE_HIDDEN =
  '[hidden],[aria-hidden],[style],script,style,noscript,template,iframe';

/** The part of a DOM that is used here; the library's own types need those of a browser. */
interface DomElement {
  readonly localName: string;
  getAttribute(name: string): string | null;
  remove(): void;
}
interface DomDocument {
  querySelectorAll(selector: string): Iterable<DomElement>;
}
type ReadabilityInput = ConstructorParameters<typeof Readability>[0];

/** The article of a page, or all of its text where no article can be found or looked for. */
export function readHtml(html: string): ExtractedText {
  const { main, visible, isSimple, title, language } = scanHtml(html);
  const whole =
    lengthOf(main) < lengthOf(visible) * MIN_MAIN_SHARE ? visible : main;
  const article = isSimple ? articleOf(html) : undefined;
  const isWhole =
    article !== undefined &&
    lengthOf(article) >= lengthOf(whole) * MIN_ARTICLE_SHARE;
  const { text, headings, tables } = isWhole ? article : whole;
  return { text, headings, tables, title, language };
}

function articleOf(html: string): StructuredText | undefined {
  try {
    const { document } = parseHTML(html) as unknown as {
      document: DomDocument;
    };
    for (const element of document.querySelectorAll(MAY_BE_HIDDEN)) {
      if (isHiding(element.localName, (name) => element.getAttribute(name)))
        element.remove();
    }
    const found = new Readability(document as ReadabilityInput).parse();
    return found?.content ? scanHtml(found.content).visible : undefined;
  } catch {
    // A page that breaks the library still has its text.
    return undefined;
  }
}

/** White space is not counted. */
function lengthOf({ text }: StructuredText): number {
  return text.replace(/\s+/g, '').length;
}
