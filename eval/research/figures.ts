import type { ModelRow } from './evaluate';
import type { Counts } from './score';

interface Column {
  name: string;
  of(counts: Counts, copies: boolean): string;
}

/** Models that copy from their sources: each sentence of theirs that differs from its quote was altered on purpose. */
const COPIES = /^sandbox-plain/;

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
const each =
  (name: keyof Counts, digits = 1) =>
  (counts: Counts): string =>
    (counts[name] / counts.questions).toFixed(digits);

/** Open questions have no answer that is known; 0 of them. */
const known = ({ facts }: Counts): number => Math.min(facts, 1);

const COLUMNS: readonly Column[] = [
  { name: 'questions', of: (c) => String(c.questions) },
  {
    name: 'answer found',
    of: (c) => percent(c.answered, known(c) * c.questions),
  },
  {
    name: 'criteria covered',
    of: (c) => `${percent(c.covered, c.criteria)} of ${c.criteria}`,
  },
  { name: 'facts noted', of: (c) => percent(c.noted, c.facts) },
  {
    name: 'citations that hold',
    of: (c) => `${percent(c.matched, c.citations)} of ${c.citations}`,
  },
  {
    name: 'false among them',
    of: (c, copies) => (copies ? `${c.false} of ${c.sentences}` : '-'),
  },
  {
    name: 'honest sentences lost',
    of: (c, copies) => (copies ? `${c.lost} of ${c.honest}` : '-'),
  },
  {
    name: 'unchecked among them',
    of: (c, copies) => (copies ? String(c.unchecked) : '-'),
  },
  { name: 'invented URLs', of: (c) => String(c.inventedUrls) },
  { name: 'altered numbers', of: (c) => String(c.alteredNumbers) },
  {
    name: 'repeated sentences',
    of: (c) => `${c.saidAgain} of ${c.said}`,
  },
  { name: 'in links', of: (c) => percent(c.linked, c.characters) },
  { name: 'no report', of: (c) => String(c.unwritten) },
  {
    name: 'parts with a note',
    of: (c) => `${percent(c.partsNoted, c.parts)} of ${c.parts}`,
  },
  {
    name: 'pages on the subject',
    of: (c) => percent(c.onSubject, known(c) * c.sources),
  },
  {
    name: 'with a fact',
    of: (c) => percent(c.withFact, known(c) * c.sources),
  },
  { name: 'searches', of: each('searches') },
  { name: 'pages', of: each('pages') },
  { name: 'read twice', of: each('repeated') },
  { name: 'calls', of: each('calls') },
  { name: 'tokens', of: each('tokens', 0) },
];

/** Sums, except for the last five: their average of a question. */
export function toMarkdown(rows: readonly ModelRow[]): string {
  const head = ['model', ...COLUMNS.map(({ name }) => name)];
  const lines = rows.map(({ model, counts }) => [
    model,
    ...COLUMNS.map((column) => column.of(counts, COPIES.test(model))),
  ]);
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The questions without an answer, one per line. */
export function unanswered(rows: readonly ModelRow[]): string[] {
  return rows.flatMap(({ model, runs }) =>
    Object.entries(runs)
      .filter(([, { answered }]) => answered === 0)
      .map(([id, { noted, unwritten }]) => {
        const why = unwritten
          ? 'no report'
          : noted
            ? 'noted, not written'
            : 'not noted';
        return `${model} ${id}: ${why}`;
      }),
  );
}
