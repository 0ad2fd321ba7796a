import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../../..');

/** A fenced block; `info` is what stands after the language, e.g. `runnable`. */
export interface Block {
  readonly language: string;
  readonly info: string;
  readonly text: string;
  /** Of its opening fence, from 1. */
  readonly line: number;
}

/** README.md, CONTRIBUTING.md, test/README.md and every page below docs/, by path from the root. */
export function docPages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((path) => `docs/${String(path)}`)
    .filter((path) => path.endsWith('.md'))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', 'test/README.md', ...docs];
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(
    /^```(\w*) ?(.*)\n((?:(?!```).*\n)*)```$/gm,
  )) {
    const [, language, info, text] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    blocks.push({ language, info, text, line });
  }
  return blocks;
}

/** The text without its fenced blocks. */
export function proseOf(markdown: string): string {
  return markdown.replace(/^```.*\n(?:(?!```).*\n)*```$/gm, '');
}
