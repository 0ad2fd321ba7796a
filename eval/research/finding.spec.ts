import { research } from '../../src/research/agent/agent';
import type { SearchHit } from '../../src/research/agent/agent-ports';
import {
  AgentWorld,
  researchTask,
  type WorldPage,
} from '../../test/support/agent/agent-world';
import { MemoryJournal } from '../../test/support/agent/memory-journal';
import { linesIn, noteOf } from '../../test/support/agent/scripted-roles';
import { partsIn } from './parts';

/** Longer than a part of a page, at a model of 8k context. */
const FILLER =
  'This paragraph of the manual is about something else altogether. '.repeat(
    500,
  );

const page = (title: string, ...sections: string[]): WorldPage => ({
  title,
  text: sections.join(`\n\n${FILLER}\n\n`),
});

/** In the shape of a manual: one long page has a section for each of two directions, and other pages share its words. */
const PAGES: Record<string, WorldPage> = {
  'https://manual.example/packages': page(
    'Packages',
    'The manual says that a package has 3 parts.',
    'Security advisories: the security team publishes about 5 of them a week.',
    'Backports: they are rebuilt from testing within 30 days for the stable release.',
  ),
  'https://manual.example/getting': page(
    'Getting the system',
    'Package upgrades: a stable release has one of them every 2 months.',
  ),
  'https://manual.example/best-practices': page(
    'Best practices',
    'Maintainers should write 1 changelog entry for each change.',
  ),
  'https://manual.example/start': page(
    'How to start',
    'A new maintainer reads 4 documents first.',
  ),
};

const at = (name: string): string => `https://manual.example/${name}`;

/** As an engine ranks them: each page stands in the hits of all directions, at different places. */
const FOUND: Record<string, string[]> = {
  'choice of a release': ['best-practices', 'start', 'getting', 'packages'],
  'security advisories': ['packages#advisories', 'best-practices'],
  'package upgrades in stable': ['getting', 'packages', 'start'],
  'backports rebuilt from testing': ['start', 'packages#backports', 'getting'],
  'backports for stable': ['packages#backports', 'start'],
};

const DIRECTIONS = [
  { title: 'Choice', queries: ['choice of a release'] },
  { title: 'Security', queries: ['security advisories'] },
  { title: 'Upgrades', queries: ['package upgrades in stable'] },
  { title: 'Backports', queries: ['backports rebuilt from testing'] },
];

const hit = (name: string): SearchHit => ({
  url: at(name),
  title: PAGES[at(name.split('#')[0])].title,
  snippet: `From the manual: ${name}`,
  provider: 'manual',
});

async function found(gap?: string, parts = DIRECTIONS) {
  const world = new AgentWorld({
    pages: PAGES,
    contextTokens: 8_192,
    roles: {
      research_plan: () => ({ directions: parts }),
      research_notes: (blocks) => ({
        notes: linesIn(blocks)
          .filter(({ text }) => /\d/.test(text))
          .map(({ number, text }) => noteOf(number, text)),
      }),
      research_gaps: () => ({
        sufficient: gap === undefined,
        missing: [],
        contradictions: [],
        queries: gap === undefined ? [] : [{ direction: 0, query: gap }],
      }),
    },
  });
  world.ports.search = {
    has: (scope) => scope === 'public',
    search: ({ text }) =>
      Promise.resolve({
        provider: 'manual',
        hits: (FOUND[text] ?? []).map(hit),
        tried: [],
      }),
  };
  const journal = new MemoryJournal();
  const { signal } = new AbortController();
  const task = researchTask({}, { depth: 'standard' });
  const { evidence } = await research(task, journal, world.ports, signal);
  return { world, journal, evidence };
}

describe('the pages of a manual', () => {
  it('are read for the direction where each ranks best', async () => {
    const { journal } = await found();
    const opened = [...journal.entries].flatMap(([key, { value }]) => {
      const [, direction] = /^page:public0\.(\d):/.exec(key) ?? [];
      if (direction === undefined) return [];
      const { head } = JSON.parse(value!) as { head: { url: string } };
      return [[DIRECTIONS[Number(direction)].title, head.url]];
    });
    expect(opened.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['Backports', at('start')],
      ['Choice', at('best-practices')],
      ['Security', at('packages')],
      ['Upgrades', at('getting')],
    ]);
  });

  it('that were read for one query are opened again for the part that another one of the round is about', async () => {
    const { evidence, journal } = await found();
    const quotes = evidence.notes.map(({ quote }) => quote).join('\n');
    expect(quotes).toContain('about 5 of them a week');
    expect(quotes).toContain('within 30 days');
    const opened = partsIn(journal).filter(({ url }) => url === at('packages'));
    expect(opened.length).toBeGreaterThan(1);
    expect(evidence.sources).toHaveLength(4);
  });

  it('that were read are opened again for the query of a gap', async () => {
    const only = DIRECTIONS.slice(1, 2);
    const before = await found(undefined, only);
    const after = await found('backports for stable', only);
    const has = ({ evidence }: typeof after): boolean =>
      evidence.notes.some(({ quote }) => quote.includes('within 30 days'));
    expect(after.evidence.sources.map(({ url }) => url)).toContain(
      at('packages'),
    );
    expect(partsIn(after.journal).length).toBeGreaterThan(
      partsIn(before.journal).length,
    );
    expect([has(before), has(after)]).toEqual([false, true]);
  });
});
