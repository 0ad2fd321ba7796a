import type {
  AgentReport,
  BoundSentence,
  Note,
} from '../../src/research/agent/agent.types';
import { covered, criteriaOf, Vocabulary } from './criteria';
import { toMarkdown } from './figures';
import type { Question } from './questions';
import { type Counts, type Ran, score } from './score';
import { SITE } from './site';

/** Twenty pages: a word that two of them have is rare, one that three have is not. */
const PAGES = [
  'A package closes its bugs in the changelog.',
  'The changelog of a package is in English.',
  ...Array.from({ length: 18 }, (_, n) => `A package has the file ${n}.`),
];
const words = new Vocabulary(PAGES);

const TEXTS = new Map([
  ['policy/bugs.html', 'A bug is closed in 30 days. Others stay.'],
  ['policy/files.html', 'A file has one owner. It is closed at night.'],
  ['faq/start.html', 'A start is easy. A bug is closed in 30 days.'],
  ['faq/end.html', 'Nothing of it.'],
]);

const question: Question = {
  id: 'bugs-1',
  question: 'In how many days is a bug closed?',
  language: 'en',
  answers: ['30 days'],
  facts: ['closed in 30 days'],
  page: 'policy/bugs.html',
};

const source = (path: string, number: number) => ({
  number,
  url: `${SITE}/${path}`,
  title: path,
  sha256: '',
  fetchedAt: '',
  private: false,
});

const note = (id: string, quote: string, more: Partial<Note> = {}): Note => ({
  id,
  claim: quote,
  kind: 'fact',
  importance: 2,
  quote,
  source: 1,
  title: '',
  start: 0,
  end: quote.length,
  window: quote,
  ...more,
});

const said = (text: string, ...noteIds: string[]): BoundSentence => ({
  text,
  noteIds,
  verdict: 'quote_matched',
});

type Evidence = AgentReport['evidence'];

const reportOf = (
  evidence: Partial<Evidence>,
  more: Partial<AgentReport> = {},
): AgentReport => ({
  status: 'completed',
  citations: [],
  sources: [],
  limitsReached: [],
  ...more,
  evidence: {
    notes: [],
    contradictions: [],
    sections: [],
    sources: [],
    failed: [],
    ...evidence,
  },
});

const scored = (report: AgentReport, more: Partial<Ran> = {}): Counts =>
  score({
    question,
    report,
    text: '',
    spent: {
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
      searches: 0,
      pages: 0,
    },
    calls: 0,
    written: [],
    parts: [],
    texts: TEXTS,
    words,
    ...more,
  });

/** Of the printed row, by the names of its columns. */
const figuresOf = (counts: Counts): Record<string, string> => {
  const row = { model: 'a-model', counts, runs: {} };
  const [names, , cells] = toMarkdown([row])
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
};

describe(Vocabulary.name, () => {
  it.each([
    ['the changelog of a package', ['changelog', 'of']],
    ['an unknown package', ['an', 'unknown']],
    ['package has the file', ['package', 'has', 'the', 'file']],
  ])('takes of "%s" the terms that few pages have: %j', (text, rare) => {
    expect(words.rareIn(text)).toEqual(rare);
  });
});

describe('the criteria of a run', () => {
  const brief = {
    goal: 'Goal',
    sub_questions: ['First', 'Second'],
    language: 'en',
    recency: 'any' as const,
    excluded: [],
    depth: 'quick' as const,
  };

  it.each([
    [{ ...brief, criteria: ['One'] }, ['One']],
    [{ ...brief, criteria: [] }, ['First', 'Second']],
    [{ ...brief, sub_questions: [] }, ['The question']],
    [undefined, ['The question']],
  ])('are those of its brief, its parts, or the question', (made, criteria) => {
    const report = reportOf({ brief: made });
    expect(criteriaOf(report, 'The question')).toEqual(criteria);
  });

  it.each([
    ['half of its rare terms', note('n1', 'The bugs in English.'), true],
    ['less', note('n1', 'It has many bugs.'), false],
    ['no rare term', note('n1', 'A package has the file.'), false],
    [
      'them in its headings',
      note('n1', 'It has them.', { headings: ['Bugs', 'Changelog'] }),
      true,
    ],
    ['them, but is not cited', note('n2', 'Bugs in the changelog.'), false],
  ])('are covered by a cited note: one that has %s', (_, one, is) => {
    const sections = [{ title: '', sentences: [said('A sentence.', 'n1')] }];
    const report = reportOf({ notes: [one], sections });
    const criteria = ['package bugs changelog english'];
    expect(covered(criteria, report, words)).toEqual(is ? criteria : []);
  });

  it('are covered one by one', () => {
    const notes = [note('n1', 'The bugs are closed.'), note('n2', 'English.')];
    const sections = [
      { title: '', sentences: [said('One.', 'n1'), said('Two.', 'n2')] },
    ];
    const criteria = ['bugs', 'english', 'bugs english others unknown'];
    const report = reportOf({
      brief: { ...brief, criteria },
      notes,
      sections,
    });
    expect(covered(criteria, report, words)).toEqual(['bugs', 'english']);
    expect(figuresOf(scored(report))['criteria covered']).toBe('66.7 % of 3');
  });
});

describe('the row of a model', () => {
  it('has the share of the pages on the subject: of the manual of the question, or with a fact of it', () => {
    const sources = [...TEXTS.keys()].map((path, at) => source(path, at + 1));
    expect(figuresOf(scored(reportOf({ sources })))).toMatchObject({
      'pages on the subject': '75.0 %',
      'with a fact': '50.0 %',
    });
  });

  it('has the sentences of a report that have the words of an earlier one', () => {
    const sections = [
      {
        title: '',
        sentences: [said('A bug is closed.'), said('Others stay.')],
      },
      {
        title: 'More',
        sentences: [said('A *bug* is closed!'), said('A bug is not closed.')],
      },
    ];
    const counts = scored(reportOf({ sections }));
    expect(figuresOf(counts)['repeated sentences']).toBe('1 of 4');
  });

  it('has what is lost of honest copies and paraphrases, and on which of these nothing decided', () => {
    const texts = new Map([
      [
        'policy/bugs.html',
        'It is usually closed. It has 59123 packages. It is old.',
      ],
    ]);
    const notes = [
      note('n1', 'It is usually closed.'),
      note('n2', 'It has 59123 packages.'),
      note('n3', 'It is old.'),
    ];
    const copy = 'It is usually closed.';
    const rounded = 'It has about 59,000 packages.';
    const joined = 'It is normally closed, and it is old.';
    const written = [copy, rounded, joined, 'It is never closed.'].map(
      (one) => ({
        text: one,
        note_ids: ['n1', 'n2', 'n3'],
        kind: 'fact' as const,
      }),
    );
    const sentences: BoundSentence[] = [
      said(copy, 'n1'),
      { ...said(rounded, 'n2'), verdict: 'supported' },
      { ...said(joined, 'n1', 'n3'), verdict: 'unchecked' },
    ];
    const sources = [source('policy/bugs.html', 1)];
    const report = reportOf({
      notes,
      sources,
      sections: [{ title: '', sentences }],
    });
    const row = { model: 'sandbox-plain', runs: {} };
    const counts = scored(report, { texts, written });
    expect(counts).toMatchObject({ honest: 3, false: 0, alteredNumbers: 0 });
    const [, , cells] = toMarkdown([{ ...row, counts }]).split('\n');
    expect(cells).toContain('| 1 of 3 | 1 |');
    const vetoed = sentences.with(2, {
      ...sentences[2],
      verdict: 'number_differs',
    });
    const other = reportOf({
      notes,
      sources,
      sections: [{ title: '', sentences: vetoed }],
    });
    expect(scored(other, { texts, written })).toMatchObject({
      lost: 1,
      unchecked: 0,
    });
  });

  it('has the share of the characters of a report that are in links', () => {
    const text = '버그 😀. ([a](https://a))';
    const citation = {
      url: 'https://a',
      title: 'a',
      start_index: 6,
      end_index: 22,
      quote: '',
      source: 1,
    };
    const counts = scored(reportOf({}, { citations: [citation] }), { text });
    expect(Array.from(text).slice(6, 22).join('')).toBe('([a](https://a))');
    expect(figuresOf(counts)['in links']).toBe('72.7 %');
  });

  it('has the share of the parts of pages that gave a note', () => {
    const { url } = source('policy/bugs.html', 1);
    const counts = scored(
      reportOf({
        sources: [source('policy/bugs.html', 1)],
        notes: [note('n1', 'closed', { start: 10, end: 20 })],
      }),
      {
        parts: [
          { url, start: 0, end: 15 },
          { url, start: 15, end: 20 },
          { url, start: 20, end: 40 },
          { url: `${SITE}/faq/start.html`, start: 0, end: 40 },
        ],
      },
    );
    expect(figuresOf(counts)['parts with a note']).toBe('50.0 % of 4');
  });
});
