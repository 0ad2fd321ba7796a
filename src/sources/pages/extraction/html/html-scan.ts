// By hand over htmlparser2's tokens: a DOM of hostile markup takes quadratic time or all memory before anything can be measured.
import { Tokenizer } from 'htmlparser2';
import { FlowText } from './flow-text';
import { HtmlStack } from './html-stack';
import { HtmlTag } from './html-tag';

/** What is needed to choose how a page is read, in one pass that takes linear time whatever the page is. */
export interface HtmlScan {
  /** Text outside of menus, forms and what is hidden. */
  readonly main: string;
  /** Text outside of what is hidden. */
  readonly visible: string;
  readonly title?: string;
  readonly language?: string;
  /** Whether a DOM of it is small and flat enough to be searched for its article. */
  readonly isSimple: boolean;
}

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 150;
/** Text between tags and entities: a page of `<` alone has millions. */
const MAX_PIECES = 100_000;
const MAX_ATTRIBUTES = 200;
const MAX_VALUE_CHARS = 10_000;
const MAX_TITLE_CHARS = 2_000;

const BREAKS = new Set(
  'address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
);
/** Their start tags alone end a line: paragraphs get an empty line between them, rows do not. */
const TIGHT = new Set(['br', 'dd', 'dt', 'li', 'option', 'tr']);
const CELLS = new Set(['td', 'th']);

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

  constructor(private readonly html: string) {}

  result(): HtmlScan {
    const title = this.titleParts.join('') || this.heading;
    return {
      main: this.main.text,
      visible: this.visible.text,
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
    this.separate(tag.name);
    this.stack.open(tag);
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
    if (stack.isHidden) return;
    this.visible.add(text, stack.isPreformatted);
    if (!stack.isAside) this.main.add(text, stack.isPreformatted);
  }

  /** The first title that has text counts: drawings have titles too. */
  private addTitle(text: string): void {
    if (this.hasTitle || this.titleChars > MAX_TITLE_CHARS) return;
    this.titleChars += text.trim().length;
    this.titleParts.push(text.slice(0, MAX_TITLE_CHARS));
  }

  private separate(name: string): void {
    const mark = BREAKS.has(name) ? '\n' : CELLS.has(name) ? '\t' : undefined;
    if (mark === undefined || this.stack.isHidden) return;
    this.visible.separate(mark);
    if (!this.stack.isAside) this.main.separate(mark);
  }
}
