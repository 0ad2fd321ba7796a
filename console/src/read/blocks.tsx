import { useState } from 'preact/hooks';
import type { Block, Inline } from '../ui/report.types';
import { anchorOf, isSectionHeading } from './contents';
import { readWords } from './read.words';

/** Rows of a table that are added at once: layout of thousands takes seconds. */
const ROWS = 200;

export type CitationView = (number: number, key: number) => preact.JSX.Element;

/** Blocks below their headings of the first two levels: what is out of sight is laid out when it is scrolled to. */
export function Blocks({
  blocks,
  cite,
}: {
  blocks: readonly Block[];
  cite: CitationView;
}) {
  let headed = 0;
  return (
    <>
      {sectionsOf(blocks).map((section, at) => (
        <section
          key={at}
          class="part"
          id={isSectionHeading(section[0]) ? anchorOf(headed++) : undefined}
        >
          {section.map((block, n) => (
            <BlockView key={n} block={block} cite={cite} />
          ))}
        </section>
      ))}
    </>
  );
}

function sectionsOf(blocks: readonly Block[]): Block[][] {
  const sections: Block[][] = [];
  for (const block of blocks) {
    if (isSectionHeading(block) || sections.length === 0) sections.push([]);
    sections.at(-1)!.push(block);
  }
  return sections;
}

function BlockView({ block, cite }: { block: Block; cite: CitationView }) {
  switch (block.type) {
    case 'heading': {
      // The title of the page is the first level.
      const Tag = `h${Math.min(6, Math.max(2, block.level))}` as 'h2';
      return (
        <Tag>
          <Runs content={block.content} cite={cite} />
        </Tag>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Runs content={block.content} cite={cite} />
        </p>
      );
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at}>
          {item.map((one, n) => (
            <BlockView key={n} block={one} cite={cite} />
          ))}
        </li>
      ));
      return block.start === null ? (
        <ul>{items}</ul>
      ) : (
        <ol start={block.start}>{items}</ol>
      );
    }
    case 'quote':
      return (
        <blockquote>
          {block.blocks.map((one, at) => (
            <BlockView key={at} block={one} cite={cite} />
          ))}
        </blockquote>
      );
    case 'code':
      return (
        <pre tabIndex={0} aria-label={readWords().code}>
          <code>{block.text}</code>
        </pre>
      );
    case 'table':
      return <TableView block={block} cite={cite} />;
    case 'rule':
      return <hr />;
    default:
      return null;
  }
}

function TableView({
  block: { align, rows },
  cite,
}: {
  block: Extract<Block, { type: 'table' }>;
  cite: CitationView;
}) {
  const w = readWords();
  const [shown, setShown] = useState(ROWS);
  const [head = [], ...body] = rows;
  const classOf = (at: number): string | undefined =>
    align[at] === 'left' ? undefined : (align[at] ?? undefined);
  const left = body.length - shown;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={w.table}>
        <table>
          <thead>
            <tr>
              {head.map((cell, at) => (
                <th key={at} scope="col" class={classOf(at)}>
                  <Runs content={cell} cite={cite} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.slice(0, shown).map((row, n) => (
              <tr key={n}>
                {row.map((cell, at) => (
                  <td key={at} class={classOf(at)}>
                    <Runs content={cell} cite={cite} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + ROWS)}>
          {w.rows(left)}
        </button>
      )}
    </>
  );
}

export function Runs({
  content,
  cite,
}: {
  content: readonly Inline[];
  cite: CitationView;
}) {
  return <>{content.map((one, at) => runView(one, at, content, cite))}</>;
}

function runView(
  one: Inline,
  at: number,
  content: readonly Inline[],
  cite: CitationView,
) {
  if (one.type === 'break') return <br key={at} />;
  if (one.type === 'citation') {
    const mark = leadingMark(content[at + 1]);
    return (
      <span key={at} class="unbroken">
        {cite(one.number, at)}
        {mark}
      </span>
    );
  }
  const { bold, italic, strike, code, href } = one;
  const before = content[at - 1];
  const text =
    before?.type === 'citation'
      ? one.text.slice(leadingMark(one).length)
      : one.text;
  let view: preact.ComponentChild = text;
  if (code) view = <code>{view}</code>;
  if (bold) view = <strong>{view}</strong>;
  if (italic) view = <em>{view}</em>;
  if (strike) view = <s>{view}</s>;
  if (href !== undefined)
    view = (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {view}
      </a>
    );
  return <span key={at}>{view}</span>;
}

/** Punctuation that follows a citation stays in its line. */
function leadingMark(one: Inline | undefined): string {
  if (one?.type !== 'text' || one.href !== undefined || one.code) return '';
  return /^[.,;:!?)\]」』。，、]+/u.exec(one.text)?.[0] ?? '';
}
