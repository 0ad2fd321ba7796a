import type { AgentRun } from '../agent-run';
import type { Note } from '../agent.types';
import { bindSection, fromNotes } from './section-binding';

const numbers = (count: number, first: number): string =>
  Array.from({ length: count }, (_, at) => `${(at * 7 + first) % 97}.5`).join(
    ' ',
  );
const SENTENCES = 40;

describe(bindSection.name, () => {
  it('lets other work have its turn after each sentence, of a section that is a table of numbers', async () => {
    const notes = Array.from({ length: 12 }, (_, at) => {
      const quote = `Sales by year: ${numbers(75, at)}`;
      return {
        id: `n${at}`,
        claim: '',
        title: '',
        source: 1,
        start: at,
        quote,
      } as Note;
    });
    const sentences = Array.from({ length: SENTENCES }, (_, at) => ({
      text: `Sales in total: ${numbers(230, at + 1)}`,
      note_ids: notes.map(({ id }) => id),
    }));
    const run = {
      task: { verify: 'check', args: { require_citations: true } },
    } as unknown as AgentRun;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const bound = await bindSection(run, notes, { sentences });
    clearImmediate(immediate);
    expect(bound).toHaveLength(SENTENCES);
    expect(turns).toBeGreaterThanOrEqual(SENTENCES - 1);
  });

  const note = {
    id: 'n1',
    quote: 'The lake is deep. Run lake <depth> to see it.',
    title: 'Lake',
    source: 1,
    start: 0,
  } as Note;
  it.each([
    ['fact', 'Run lake <depth> to see it.', ['n1'], 'quote_matched'],
    ['fact', 'The lake has depth.', ['n1'], 'unchecked'],
    ['judgement', 'The lake seems a fine place to dive.', ['n1'], 'unchecked'],
    ['judgement', 'The lake seems a fine place to dive.', [], 'unsupported'],
    ['fact', 'The lake has depth.', ['n9'], 'unsupported'],
    ['absent', 'Its volume was not found.', [], undefined],
    ['link', 'So much for the depth.', [], undefined],
    ['link', 'So much for Lake Ostra.', [], 'unsupported'],
    ['link', 'So much for the 2 lakes.', [], 'unsupported'],
    ['fact', 'The lake has 77 metres.', ['n1'], 'number_differs'],
    ['fact', 'The lake has room for 40 boats.', ['n1'], 'number_differs'],
    ['judgement', 'The lake seems to suit 40 boats.', ['n1'], 'unchecked'],
    ['judgement', 'The lake seems to suit 90 boats.', ['n1'], 'number_differs'],
  ] as const)(
    'gives a %s, "%s" of %j, the verdict %s',
    async (kind, text, note_ids, verdict) => {
      const run = {
        task: {
          verify: 'rules',
          args: {
            require_citations: true,
            research_question: 'Which lake suits a club of 40 boats?',
          },
        },
      } as unknown as AgentRun;
      const [bound] = await bindSection(run, [note], {
        sentences: [{ text, note_ids, kind }],
      });
      expect(bound.verdict).toBe(verdict);
    },
  );
});

describe(fromNotes.name, () => {
  const noteOf = (at: number, more: Partial<Note>): Note =>
    ({
      id: `n${at}`,
      claim: `Claim ${at}.`,
      source: 1,
      title: 'The lake',
      start: at,
      ...more,
    }) as Note;
  const notes = [
    noteOf(1, { quote: 'It is 40 metres deep.', headings: ['Depth'] }),
    noteOf(2, { quote: 'They sail there.', title: 'Boats', date: '2024' }),
    noteOf(3, { quote: 'This makes it cold.', headings: ['Depth'] }),
  ];
  const runThat = (verify: string): AgentRun =>
    ({ task: { verify, args: { require_citations: true } } }) as AgentRun;

  it('shows quotes below what they stand under, for they may leave their subjects to it', async () => {
    const { sentences, layout } = await fromNotes(runThat('enforce'), notes, 8);
    expect(sentences.map(({ verdict }) => verdict)).toEqual(
      Array(3).fill('quote_matched'),
    );
    // In reading order, though notes come by their importance.
    expect(sentences.map(({ noteIds }) => noteIds)).toEqual([
      ['n1'],
      ['n3'],
      ['n2'],
    ]);
    expect(layout).toEqual([
      { type: 'heading', text: 'The lake › Depth' },
      { type: 'paragraph', sentences: [0, 1] },
      { type: 'heading', text: 'Boats › 2024' },
      { type: 'paragraph', sentences: [2] },
    ]);
  });

  it('shows the statements of notes, which have their subjects, where they may stand', async () => {
    const { sentences, layout } = await fromNotes(runThat('check'), notes, 2);
    expect(sentences.map(({ text }) => text)).toEqual(['Claim 1.', 'Claim 2.']);
    expect(layout).toBeUndefined();
  });
});
