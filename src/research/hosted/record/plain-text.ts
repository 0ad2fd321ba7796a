import MarkdownIt, { type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';

const markdown = new MarkdownIt().use(cjkFriendly);
const MAX_MARKDOWN = 2_000;

/** The words of the beginning of a text in Markdown, a line for each of its blocks. */
export function plainText(text: string): string {
  return markdown
    .parse(text.slice(0, MAX_MARKDOWN), {})
    .flatMap((block) => {
      if (block.children) return block.children.map(wordsOf).join('');
      return block.content === '' ? [] : block.content.trimEnd();
    })
    .join('\n');
}

function wordsOf({ type, content }: Token): string {
  return type === 'softbreak' || type === 'hardbreak' ? '\n' : content;
}
