import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import {
  type ExtractedText,
  ExtractionFault,
  type StructuredText,
} from '../extraction.types';
import { scanHtml } from './html-scan';
import { isHiding } from './html-tag';
import { pageData } from './json-ld';
import { notContent } from './not-content';

/** Less of the visible text outside of menus means that their end tags are missing. */
const MIN_MAIN_SHARE = 0.2;
/** An article with less of the main text is the wrong part of the page. */
const MIN_ARTICLE_SHARE = 0.6;
/** A page with more text than this is one, though it leads elsewhere after some seconds. */
const MAX_PASSING_CHARS = 800;
/** The text in the data of a page is used if that of its markup is so much shorter. */
const MIN_BODY_RATIO = 2;
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
export function readHtml(
  html: string,
  url: string,
): ExtractedText | { refresh: string } {
  const scan = scanHtml(html);
  const { main, visible, isSimple, title, language, signals } = scan;
  const whole =
    lengthOf(main) < lengthOf(visible) * MIN_MAIN_SHARE ? visible : main;
  const article = isSimple ? articleOf(html) : undefined;
  const isWhole =
    article !== undefined &&
    lengthOf(article) >= lengthOf(whole) * MIN_ARTICLE_SHARE;
  const found = isWhole ? article : whole;
  const chars = lengthOf(found);
  if (signals.refresh !== undefined && chars <= MAX_PASSING_CHARS) {
    const refresh = addressOf(signals.refresh, url);
    if (refresh !== addressOf('', url)) return { refresh };
  }
  const { articleBody = '', isFree } = pageData(signals.data, url);
  const body = isFree ? bodyOf(articleBody) : undefined;
  const read = body && lengthOf(body) > chars * MIN_BODY_RATIO ? body : found;
  const own = lengthOf(main);
  const fault = notContent(scan, { chars: lengthOf(read), own, isFree });
  if (fault) throw new ExtractionFault(fault);
  const { text, headings } = read;
  const alternates = signals.alternates
    .map((written) => addressOf(written, url))
    .filter((address) => address !== addressOf('', url));
  return { text, headings, title, language, alternates };
}

/** A text that may be written in HTML. */
function bodyOf(body: string): StructuredText {
  return /<\/?[a-z]/i.test(body) ? scanHtml(body).visible : { text: body };
}

/** Absolute and without its fragment; as it is written if it is no address. */
function addressOf(written: string, base: string): string {
  if (!URL.canParse(written, base)) return written;
  return new URL(written, base).href.replace(/#.*$/, '');
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
