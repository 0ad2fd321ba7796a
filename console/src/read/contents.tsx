import { useEffect } from 'preact/hooks';
import { hrefOf, path } from '../router';
import type { Block, Inline } from '../ui/report.types';
import { readWords } from './read.words';

/** Fewer need no list. */
const LEAST = 2;

type Heading = Extract<Block, { type: 'heading' }>;

/** The headings of the first two levels, by the place that their sections have in the report. */
export function headingsOf(
  blocks: readonly Block[],
): { anchor: string; title: string }[] {
  return blocks.filter(isSectionHeading).map(({ content }, at) => ({
    anchor: anchorOf(at),
    title: textOf(content),
  }));
}

export function isSectionHeading(block: Block): block is Heading {
  return block.type === 'heading' && block.level <= 2;
}

/** The third part of the address of a report, and the id of its section. A report does not change. */
export function anchorOf(at: number): string {
  return `s${at + 1}`;
}

/** Links to the sections of a report, each an address of its own. */
export function Contents({
  at,
  blocks,
}: {
  /** The address of the report. */
  at: readonly [screen: string, id: string];
  blocks: readonly Block[];
}) {
  const [, , wanted] = path.value;
  useEffect(() => {
    if (wanted === undefined) return;
    document.getElementById(wanted)?.scrollIntoView({ block: 'start' });
  }, [wanted]);
  const headings = headingsOf(blocks);
  if (headings.length < LEAST) return null;
  return (
    <nav class="contents no-print" aria-label={readWords().contents}>
      <ol>
        {headings.map(({ anchor, title }) => (
          <li key={anchor}>
            <a
              href={hrefOf(...at, anchor)}
              aria-current={anchor === wanted ? 'location' : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function textOf(content: readonly Inline[]): string {
  return content
    .map((one) => (one.type === 'text' ? one.text : ''))
    .join('')
    .trim();
}
