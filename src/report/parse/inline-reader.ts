import type { Token } from 'markdown-it';
import type { Inline, TextRun } from '../report.types';
import { safeHref } from './clean';
import { MARKER } from './marked-text';

type Style = Omit<TextRun, 'type' | 'text'>;
const STYLES: Record<string, 'bold' | 'italic' | 'strike'> = {
  strong: 'bold',
  em: 'italic',
  s: 'strike',
};

/** The runs of a block. Images are links: nothing is loaded from elsewhere. */
export function readInline(tokens: readonly Token[]): Inline[] {
  const reader = new InlineReader();
  for (const token of tokens) reader.read(token);
  return reader.content;
}

/** The runs of a text without Markdown. */
export function readText(text: string): Inline[] {
  const reader = new InlineReader();
  reader.text(text);
  return reader.content;
}

/** The text without its markers, and the numbers that they had. */
export function withoutMarkers(text: string): {
  text: string;
  numbers: number[];
} {
  const numbers = [...text.matchAll(MARKER)].map(([, number]) =>
    Number(number),
  );
  return { text: text.replace(MARKER, ''), numbers };
}

class InlineReader {
  readonly content: Inline[] = [];
  private readonly open: Style[] = [];
  /** Of a marker within an address: they follow the link. */
  private delayed: number[] = [];

  read(token: Token): void {
    const [, name, edge] =
      /^(strong|em|s|link)_(open|close)$/.exec(token.type) ?? [];
    if (edge === 'open') this.open.push(this.styleOf(name, token));
    else if (edge === 'close') this.close(name);
    else if (token.type === 'softbreak') this.add(' ');
    else if (token.type === 'hardbreak') this.content.push({ type: 'break' });
    else if (token.type === 'image') this.image(token);
    else if (token.type === 'code_inline') this.code(token.content);
    else this.text(token.content);
  }

  private close(name: string): void {
    this.open.pop();
    if (name === 'link') this.flush();
  }

  private styleOf(name: string, token: Token): Style {
    const style = STYLES[name];
    return style ? { [style]: true } : this.link(token.attrGet('href'));
  }

  private link(target: string | number | null): Style {
    const { text, numbers } = withoutMarkers(String(target ?? ''));
    this.delayed.push(...numbers);
    const href = safeHref(text);
    return href === null ? {} : { href };
  }

  private image(token: Token): void {
    this.open.push(this.link(token.attrGet('src')));
    const { text, numbers } = withoutMarkers(token.content);
    this.delayed.push(...numbers);
    this.add(text || this.open.at(-1)!.href || '');
    this.open.pop();
    this.flush();
  }

  private code(content: string): void {
    const { text, numbers } = withoutMarkers(content);
    this.add(text, { code: true });
    this.cite(numbers);
  }

  text(content: string): void {
    // Every second piece is the number of a marker.
    content.split(MARKER).forEach((piece, at) => {
      if (at % 2 === 1) this.cite([Number(piece)]);
      else this.add(piece);
    });
  }

  private flush(): void {
    this.cite(this.delayed);
    this.delayed = [];
  }

  private cite(numbers: readonly number[]): void {
    for (const number of numbers)
      this.content.push({ type: 'citation', number });
  }

  private add(text: string, more: Style = {}): void {
    if (text === '') return;
    const style = Object.assign({}, ...this.open, more) as Style;
    const last = this.content.at(-1);
    if (last?.type === 'text' && isSame(last, style)) last.text += text;
    else this.content.push({ type: 'text', text, ...style });
  }
}

function isSame(one: Style, other: Style): boolean {
  const names = ['bold', 'italic', 'strike', 'code', 'href'] as const;
  return names.every((name) => one[name] === other[name]);
}
