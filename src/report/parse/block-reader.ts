import type { Token } from 'markdown-it';
import type { Align, Block, Inline } from '../report.types';
import { readInline, withoutMarkers } from './inline-reader';

type Table = Extract<Block, { type: 'table' }>;

/** The blocks of a token stream. Its nesting is limited by the parser. */
export class BlockReader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** Up to the token of this type, which is read too. */
  blocks(until?: string): Block[] {
    const blocks: Block[] = [];
    while (this.at < this.tokens.length) {
      const token = this.tokens[this.at];
      this.at += 1;
      if (token.type === until) break;
      blocks.push(...this.block(token));
    }
    return blocks;
  }

  private block(token: Token): Block[] {
    switch (token.type) {
      case 'heading_open': {
        const level = Number(token.tag.slice(1));
        return [{ type: 'heading', level, content: this.inline() }];
      }
      case 'paragraph_open':
        return [{ type: 'paragraph', content: this.inline() }];
      case 'bullet_list_open':
        return [this.list(null, 'bullet_list_close')];
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        return [this.list(start, 'ordered_list_close')];
      }
      case 'blockquote_open':
        return [{ type: 'quote', blocks: this.blocks('blockquote_close') }];
      case 'fence':
      case 'code_block':
        return codeBlock(token.content, token.info);
      case 'table_open':
        return [this.table()];
      case 'hr':
        return [{ type: 'rule' }];
      default:
        return [];
    }
  }

  /** What stands between the tokens that open and close a block. */
  private inline(): Inline[] {
    const content = readInline(this.tokens[this.at].children ?? []);
    this.at += 2;
    return content;
  }

  private list(start: number | null, close: string): Block {
    const items: Block[][] = [];
    while (this.tokens[this.at].type !== close) {
      this.at += 1;
      items.push(this.blocks('list_item_close'));
    }
    this.at += 1;
    return { type: 'list', start, items };
  }

  private table(): Table {
    const align: Align[] = [];
    const rows: Inline[][][] = [];
    for (; this.tokens[this.at].type !== 'table_close'; this.at += 1) {
      const token = this.tokens[this.at];
      if (token.type === 'tr_open') rows.push([]);
      if (token.type === 'th_open') align.push(alignOf(token));
      if (token.type === 'inline')
        rows.at(-1)!.push(readInline(token.children ?? []));
    }
    this.at += 1;
    return { type: 'table', align, rows };
  }
}

/** Code cannot hold a citation: they follow it. */
export function codeBlock(content: string, info: string): Block[] {
  const code = withoutMarkers(content);
  const language = withoutMarkers(info);
  const [word = ''] = language.text.trim().split(/\s+/, 1);
  const numbers = [...code.numbers, ...language.numbers];
  return [
    { type: 'code', text: code.text.trimEnd(), language: word || null },
    ...citationBlock(numbers),
  ];
}

/** A paragraph of citations alone, if there are any. */
export function citationBlock(numbers: readonly number[]): Block[] {
  const content = numbers.map((number) => ({
    type: 'citation' as const,
    number,
  }));
  return content.length > 0 ? [{ type: 'paragraph', content }] : [];
}

function alignOf(token: Token): Align {
  const [, align] =
    /text-align:(\w+)/.exec(String(token.attrGet('style'))) ?? [];
  return align === 'left' || align === 'center' || align === 'right'
    ? align
    : null;
}
