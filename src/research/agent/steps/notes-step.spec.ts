import {
  AgentWorld,
  researchTask,
  type WorldPage,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import {
  linesIn,
  noteOf,
  type Roles,
} from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';

const WORDS = {
  en: [
    'The tower',
    'is',
    'not',
    '330.5 m',
    'high',
    '(see Fig. 3)',
    '😀',
    'J. R.',
  ],
  ko: ['탑은', '높이가', '330.5m', '이다', '않다', '「문」', '한글', '2012년'],
};
const ENDS = ['. ', '? ', '.\n', '\n', '\n\n', '。', ' | ', '\t', ' ', '" '];

/** A page that is the same for a seed. */
function pageOf(language: keyof typeof WORDS, seed: number): WorldPage {
  let state = seed + 1;
  const pick = <T>(all: readonly T[]): T => {
    state = (state * 48_271) % 2_147_483_647;
    return all[state % all.length];
  };
  const pieces = Array.from(
    { length: 1_500 },
    () => pick(WORDS[language]) + pick([' ', ' ', ' ', pick(ENDS)]),
  );
  return { title: `Tower ${seed}`, text: pieces.join('') };
}

const pages: Record<string, WorldPage> = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((seed) => [
    `https://p${seed}.example/`,
    pageOf(seed % 2 ? 'en' : 'ko', seed),
  ]),
);
const roles: Roles = {
  research_notes: (blocks) => ({
    notes: linesIn(blocks)
      .slice(0, 20)
      .map(({ number, text }) => ({
        ...noteOf(number, text.slice(0, 60)),
        sentences: [number, number + 1, number + 3],
      })),
  }),
};

describe('a note', () => {
  it.each([32_768, 4_096])(
    'has a quote that is exactly the text of the page, with a context of %i',
    async (contextTokens) => {
      const world = new AgentWorld({ pages, roles, contextTokens });
      const journal = new MemoryJournal();
      const { signal } = new AbortController();
      const { evidence } = await research(
        researchTask(),
        journal,
        world.ports,
        signal,
      );
      expect(evidence.notes.length).toBeGreaterThan(50);
      for (const { source, start, end, quote, window } of evidence.notes) {
        const { text } = pages[evidence.sources[source - 1].url];
        expect(text.slice(start, end)).toBe(quote);
        expect(quote).toBe(quote.trim());
        expect(quote.length).toBeLessThanOrEqual(600);
        expect(window).toContain(quote);
      }
      const quotes = evidence.notes.map(({ quote }) => quote);
      expect(new Set(quotes).size).toBe(quotes.length);
    },
  );

  it('of a table of 2,000 rows is read with the names of its columns, and keeps them', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => {
      const wanted = at % 150 === 0 ? 'tower' : 'gate';
      return `The ${wanted} ${at}\t${at} m\tstone`;
    });
    const text = ['All of them.', '', 'Name\tHeight\tMade of', ...rows];
    const world = new AgentWorld({
      pages: { 'https://p.example/': { title: 'A', text: text.join('\n') } },
      roles: {
        research_notes: (blocks) => ({
          notes: linesIn(blocks)
            .filter((line) => line.text.includes('tower'))
            .map((line) => noteOf(line.number, line.text)),
        }),
      },
    });
    const { signal } = new AbortController();
    const { evidence } = await research(
      researchTask(),
      new MemoryJournal(),
      world.ports,
      signal,
    );
    const later = world.prompts.filter(
      ({ role, user }) =>
        role === 'research_notes' && !user.includes('] Name | Height'),
    );
    expect(later.length).toBeGreaterThan(0);
    for (const { user } of later)
      expect(user).toContain('"columns":"Name | Height | Made of"');
    expect(evidence.notes.length).toBeGreaterThan(2);
    for (const { before, quote } of evidence.notes) {
      expect(before).toBe('Name\tHeight\tMade of');
      expect(quote).toMatch(/^The tower \d+\t\d+ m\tstone$/);
    }
  });
});
