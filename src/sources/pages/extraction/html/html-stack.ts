// By hand: the open elements alone, bounded in depth; a parser that builds the tree of the standard has no such bound.
import type { HtmlTag } from './html-tag';
import { isConsentBox, isMount } from './page-signals';

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(
    ' ',
  ),
);
const PARAGRAPH_ENDS =
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';
/** Start tag -> the elements that it ends, if one of them is the innermost. */
const ENDS = new Map<string, ReadonlySet<string>>([
  ...PARAGRAPH_ENDS.split(' ').map(
    (name) => [name, new Set(['p'])] as [string, Set<string>],
  ),
  ['li', new Set(['li', 'p'])],
  ['dt', new Set(['dt', 'dd', 'p'])],
  ['dd', new Set(['dt', 'dd', 'p'])],
  ['tr', new Set(['tr', 'td', 'th', 'p'])],
  ['td', new Set(['td', 'th', 'p'])],
  ['th', new Set(['td', 'th', 'p'])],
  ['tbody', new Set(['tr', 'td', 'th', 'thead', 'tbody', 'p'])],
  ['option', new Set(['option'])],
  ['body', new Set(['head'])],
]);
const TITLE_PARENTS = new Set(['', 'html', 'head']);
/** An end tag closes no element further out: a search without limit takes quadratic time on hostile pages. */
const SEARCH_WITHIN = 256;
/** So much of a page may stand in `head` without an end tag. */
const HEAD_TAGS = new Set(
  'title meta link script style base noscript template'.split(' '),
);

interface OpenElement {
  readonly name: string;
  readonly isHidden: boolean;
  readonly isAside: boolean;
  readonly isPreformatted: boolean;
  readonly isTitle: boolean;
  readonly isConsent: boolean;
  readonly isMount: boolean;
}

const NONE: OpenElement = {
  name: '',
  isHidden: false,
  isAside: false,
  isPreformatted: false,
  isTitle: false,
  isConsent: false,
  isMount: false,
};

/** The open elements, each with what holds for the text within it. */
export class HtmlStack {
  private readonly elements: OpenElement[] = [];

  get depth(): number {
    return this.elements.length;
  }

  get isHidden(): boolean {
    return this.innermost.isHidden;
  }

  get isAside(): boolean {
    return this.innermost.isAside;
  }

  get isPreformatted(): boolean {
    return this.innermost.isPreformatted;
  }

  get isTitle(): boolean {
    return this.innermost.isTitle;
  }

  /** Of the innermost element. */
  get name(): string {
    return this.innermost.name;
  }

  get isConsent(): boolean {
    return this.innermost.isConsent;
  }

  get isMount(): boolean {
    return this.innermost.isMount;
  }

  open(tag: HtmlTag): void {
    this.endImplied(tag.name);
    if (VOID.has(tag.name)) return;
    const outer = this.innermost;
    this.elements.push({
      name: tag.name,
      isHidden: outer.isHidden || tag.isHidden,
      isAside: outer.isAside || tag.isAside || isConsentBox(tag),
      isPreformatted: outer.isPreformatted || tag.name === 'pre',
      // Drawings and feeds have titles of their own.
      isConsent: outer.isConsent || isConsentBox(tag),
      isMount: outer.isMount || isMount(tag),
      isTitle: tag.name === 'title' && TITLE_PARENTS.has(outer.name),
    });
  }

  close(name: string): void {
    const { elements } = this;
    const first = Math.max(0, elements.length - SEARCH_WITHIN);
    for (let at = elements.length - 1; at >= first; at -= 1) {
      if (elements[at].name === name) {
        elements.length = at;
        return;
      }
    }
  }

  private get innermost(): OpenElement {
    return this.elements.at(-1) ?? NONE;
  }

  private endImplied(name: string): void {
    if (this.innermost.name === 'head' && !HEAD_TAGS.has(name))
      this.elements.pop();
    const ended = ENDS.get(name);
    while (ended?.has(this.innermost.name)) this.elements.pop();
  }
}
