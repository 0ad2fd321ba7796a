// By hand over htmlparser2's tokens: a DOM of hostile markup takes quadratic time or all memory before anything can be measured.
import { Tokenizer } from 'htmlparser2';
import type { StructuredText } from '../extraction.types';
import { MAX_IDS } from '../headings';
import { FlowText } from './flow-text';
import { HtmlStack } from './html-stack';
import { HtmlTag } from './html-tag';
import { PageSignals } from './page-signals';

/** What is needed to choose how a page is read, in one pass that takes linear time whatever the page is. */
export interface HtmlScan {
  /** Text outside of menus, forms and what is hidden. */
  readonly main: StructuredText;
  /** Text outside of what is hidden. */
  readonly visible: StructuredText;
  readonly title?: string;
  readonly language?: string;
  /** Whether a DOM of it is small and flat enough to be searched for its article. */
  readonly isSimple: boolean;
  readonly signals: PageSignals;
}

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 150;
/** Text between tags and entities: a page of `<` alone has millions. */
const MAX_PIECES = 100_000;
const MAX_ATTRIBUTES = 200;
const MAX_VALUE_CHARS = 10_000;
const MAX_TITLE_CHARS = 2_000;
const MAX_ID_CHARS = 200;

const BREAKS = new Set(
  'address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table title tr ul'.split(
    ' ',
  ),
);
/** Their start tags alone end a line: paragraphs get an empty line between them, rows do not. */
const TIGHT = new Set(['br', 'dd', 'dt', 'li', 'option', 'tr']);
const CELLS = new Set(['td', 'th']);
const HEADING = /^h([1-6])$/;
/** The text of a link beside a heading that leads to the heading itself, as generators of documentation make it. */
const PERMALINK = /^\s*(?:[#¶§]|🔗\uFE0F?)\s*$/u;

export function scanHtml(html: string): HtmlScan {
  const scanner = new Scanner(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, scanner);
  tokenizer.write(html);
  tokenizer.end();
  return scanner.result();
}

class Scanner {
  private readonly main = new FlowText();
  private readonly visible = new FlowText();
  private readonly signals = new PageSignals();
  private readonly titleParts: string[] = [];
  private titleChars = 0;
  private hasTitle = false;
  private heading = '';
  private language?: string;
  private elements = 0;
  private pieces = 0;
  private isSimple = true;
  private tag = new HtmlTag('');
  private readonly stack = new HtmlStack();
  /** Of elements that began since the last text. */
  private ids: string[] = [];

  constructor(private readonly html: string) {}

  result(): HtmlScan {
    const title = this.titleParts.join('') || this.heading;
    return {
      main: this.main,
      visible: this.visible,
      signals: this.signals,
      isSimple: this.isSimple && this.pieces <= MAX_PIECES,
      ...(title && { title }),
      ...(this.language && { language: this.language }),
    };
  }

  onopentagname(start: number, end: number): void {
    this.tag = new HtmlTag(this.html.slice(start, end).toLowerCase());
  }

  onattribname(start: number, end: number): void {
    this.tag.begin(this.html.slice(start, end));
  }

  onattribdata(start: number, end: number): void {
    this.tag.append(this.html, start, end);
  }

  onattribentity(codepoint: number): void {
    this.tag.appendText(String.fromCodePoint(codepoint));
  }

  onattribend(): void {}

  onopentagend(): void {
    const { tag } = this;
    if (tag.name === 'tr') this.endRow();
    this.separate(tag.name);
    this.signals.tag(tag, this.stack.name === 'noscript');
    this.stack.open(tag);
    if (!this.stack.isHidden) this.beginPart(tag);
    this.elements += 1;
    this.isSimple &&=
      this.elements <= MAX_ELEMENTS &&
      this.stack.depth <= MAX_DEPTH &&
      tag.attributes <= MAX_ATTRIBUTES &&
      tag.longestValue <= MAX_VALUE_CHARS;
    this.language ??= tag.declaredLanguage;
    if (this.heading === '') this.heading = tag.declaredTitle ?? '';
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === 'title' && this.titleChars > 0) this.hasTitle = true;
    if (name === 'script') this.signals.endScript();
    if (!this.stack.isHidden) this.endPart(name);
    this.stack.close(name);
    if (!TIGHT.has(name) && !CELLS.has(name)) this.separate(name);
  }

  ontext(start: number, end: number): void {
    this.add(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.add(String.fromCodePoint(codepoint));
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  private add(text: string): void {
    const { stack } = this;
    this.pieces += 1;
    if (stack.isTitle) return this.addTitle(text);
    this.count(text);
    if (stack.isHidden || (stack.name === 'a' && PERMALINK.test(text))) return;
    if (this.ids.length > 0 && text.trim() !== '') this.ids = [];
    this.visible.add(text, stack.isPreformatted);
    if (!stack.isAside) this.main.add(text, stack.isPreformatted);
  }

  private count(text: string): void {
    const { stack, signals } = this;
    if (stack.name === 'script') return signals.script(text);
    const chars = text.replace(/\s+/g, '').length;
    if (stack.name === 'noscript') signals.chars.noscript += chars;
    if (stack.isHidden) return;
    if (stack.isConsent) signals.chars.consent += chars;
    if (stack.isMount) signals.chars.mount += chars;
  }

  /** The first title that has text counts: drawings have titles too. */
  private addTitle(text: string): void {
    if (this.hasTitle || this.titleChars > MAX_TITLE_CHARS) return;
    this.titleChars += text.trim().length;
    this.titleParts.push(text.slice(0, MAX_TITLE_CHARS));
  }

  private get flows(): FlowText[] {
    return this.stack.isAside ? [this.visible] : [this.visible, this.main];
  }

  /** A heading, a table or a place that the fragment of an address may name. */
  private beginPart({ name, anchor }: HtmlTag): void {
    const ids = anchor && anchor.length <= MAX_ID_CHARS ? [anchor] : [];
    if (ids.length > 0) this.ids = [...this.ids, ...ids].slice(-MAX_IDS);
    const level = Number(HEADING.exec(name)?.[1] ?? 0);
    for (const flow of this.flows) {
      if (level > 0) flow.beginHeading(level, this.ids);
      else flow.nameHeading(ids);
      if (name === 'table') flow.beginTable();
      if (name === 'tr') flow.beginRow();
    }
  }

  private endPart(name: string): void {
    if (name === 'tr' || name === 'table') this.endRow();
    if (HEADING.test(name)) for (const flow of this.flows) flow.endHeading();
  }

  private endRow(): void {
    for (const flow of this.flows) flow.endRow();
  }

  private separate(name: string): void {
    const mark = BREAKS.has(name) ? '\n' : CELLS.has(name) ? '\t' : undefined;
    if (mark === undefined || this.stack.isHidden) return;
    this.visible.separate(mark);
    if (!this.stack.isAside) this.main.separate(mark);
  }
}
