import {
  AgentWorld,
  researchTask,
  type WorldPage,
} from '../../../../test/support/agent/agent-world';
import {
  Crash,
  MemoryJournal,
} from '../../../../test/support/agent/memory-journal';
import {
  linesIn,
  noteOf,
  type Roles,
} from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';
import type { AgentReport } from '../agent.types';
import type { SearchHit } from '../agent-ports';

const never = new AbortController().signal;
/** More than one part at a model of 8k context. */
const FILLER = 'Nothing of interest stands in this sentence here. '.repeat(900);

const page = (title: string, ...parts: string[]): WorldPage => ({
  title,
  text: parts.join(`\n\n${FILLER}\n\n`),
});

/** 24 pages of three hosts; the handbook has a part for each of two queries. */
const PAGES: Record<string, WorldPage> = {
  'https://h.example/handbook': page(
    'Handbook',
    'The handbook of the tower begins with its general introduction.',
    'The lift of the tower was renewed in 1986 by its owner.',
    'The paint of the tower has 60 tonnes and is renewed every 7 years.',
  ),
  ...Object.fromEntries(
    Array.from({ length: 23 }, (_, at) => [
      `https://host${at % 3}.example/${at}`,
      page(
        `Page ${at}`,
        `The page ${at} says that the tower has ${at} floors.`,
      ),
    ]),
  ),
};
const OTHERS = Object.keys(PAGES).slice(1);

const hit = (url: string): SearchHit => ({
  url,
  title: PAGES[url.split('#')[0]].title,
  snippet: `An excerpt of ${url}`,
  provider: 'world',
});

/** What each query finds, the best first. */
const FOUND: Record<string, string[]> = {
  'lift of the tower': [
    'https://h.example/handbook#lift',
    ...OTHERS.slice(0, 8),
  ],
  'paint of the tower': [
    OTHERS[8],
    'https://h.example/handbook#paint',
    ...OTHERS.slice(9, 16),
  ],
  'owner of the tower': OTHERS.slice(16),
  'paint tonnes': ['https://h.example/handbook', OTHERS[0]],
};

const ROLES: Roles = {
  research_plan: () => ({
    directions: [
      { title: 'Lift', queries: ['lift of the tower'] },
      { title: 'Paint', queries: ['paint of the tower', '"no such words"'] },
      { title: 'Owner', queries: ['owner of the tower'] },
    ],
  }),
  research_notes: (blocks) => ({
    notes: linesIn(blocks)
      .filter(({ text }) => /^The [a-z 0-9]+\d/.test(text))
      .map(({ number, text }) => noteOf(number, text)),
  }),
  research_gaps: () => ({
    sufficient: false,
    missing: ['paint'],
    contradictions: [],
    queries: [{ direction: 2, query: 'paint tonnes' }],
  }),
};

function worldOf(roles: Roles = {}, reversed = false) {
  const queries: string[] = [];
  const world = new AgentWorld({
    pages: PAGES,
    roles: { ...ROLES, ...roles },
    contextTokens: 8_192,
    reversed,
  });
  world.ports.search = {
    has: (scope) => scope === 'public',
    search: ({ text }) => {
      queries.push(text);
      const hits = (FOUND[text] ?? []).map(hit);
      return Promise.resolve({ provider: 'world', hits, tried: [] });
    },
  };
  return { world, queries };
}

async function run(roles: Roles = {}, more: { depth?: 'quick' } = {}) {
  const { world, queries } = worldOf(roles);
  const journal = new MemoryJournal();
  const task = researchTask({}, { depth: 'standard', ...more });
  const report = await research(task, journal, world.ports, never);
  const prompts = (role: string) =>
    world.prompts.filter((one) => one.role === role);
  return { world, queries, journal, report, prompts };
}

/** Events of effects that are under way together come in the order in which they end. */
const result = ({ text, events }: MemoryJournal, report: AgentReport) => {
  const shown = events.map((event) => JSON.stringify(event)).sort();
  return JSON.stringify({ text, report, shown });
};

describe('finding', () => {
  it('reads a page once for the direction where it ranks best, then other parts of it for another query, as one source', async () => {
    const { report, journal } = await run();
    const { sources, notes } = report.evidence;
    const urls = sources.map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
    const handbook = sources.find(({ title }) => title === 'Handbook')!;
    const quotes = notes
      .filter(({ source }) => source === handbook.number)
      .map(({ quote }) => quote)
      .join('\n');
    expect(quotes).toContain('renewed in 1986');
    expect(quotes).toContain('60 tonnes');
    const opened = [...journal.entries].filter(
      ([key, { value }]) =>
        key.startsWith('page:') && value?.includes('handbook'),
    );
    expect(opened.length).toBeGreaterThan(1);
    expect(journal.spent.pages).toBe(sources.length);
  });

  it('never reads a part of a page twice: of another one, a little more than the tenth by which they overlap', async () => {
    const { journal } = await run();
    const ranges = new Map<string, { start: number; end: number }[]>();
    for (const [key, { value }] of journal.entries) {
      if (!key.startsWith('page:')) continue;
      const { head } = JSON.parse(value!) as {
        head: { url: string; parts: { start: number; end: number }[] };
      };
      const known = ranges.get(head.url) ?? [];
      ranges.set(head.url, [...known, ...head.parts]);
    }
    for (const parts of ranges.values()) {
      const sorted = parts.toSorted((a, b) => a.start - b.start);
      sorted.slice(1).forEach(({ start, end }, at) => {
        const shared = sorted[at].end - start;
        expect(shared).toBeLessThanOrEqual((end - start) * 0.15);
      });
    }
  });

  it('asks a search without hits once more, shorter', async () => {
    const { queries } = await run();
    const at = queries.indexOf('"no such words"');
    expect(at).toBeGreaterThanOrEqual(0);
    expect(queries.filter((one) => one === 'no such words')).toHaveLength(1);
    expect(queries.filter((one) => /such/.test(one))).toHaveLength(2);
  });

  it('does not depend on which of several effects ends first', async () => {
    const forward = await run();
    const { world } = worldOf({}, true);
    const journal = new MemoryJournal();
    const task = researchTask({}, { depth: 'standard' });
    const report = await research(task, journal, world.ports, never);
    expect(report).toEqual(forward.report);
    expect([...journal.entries.keys()].sort()).toEqual(
      [...forward.journal.entries.keys()].sort(),
    );
  });

  it('has the same report byte for byte after a crash at every seventh boundary, with the same events, and repeats no settled step', async () => {
    const undisturbed = await run();
    const expected = result(undisturbed.journal, undisturbed.report);
    const { boundaries } = undisturbed.journal;
    // Every seventh: kinds of steps repeat with other periods.
    for (let at = 1; at <= boundaries; at += 7) {
      const { world } = worldOf();
      const journal = new MemoryJournal();
      journal.crashAt = at;
      const task = researchTask({}, { depth: 'standard' });
      await expect(research(task, journal, world.ports, never)).rejects.toThrow(
        Crash,
      );
      await new Promise((resolve) => setImmediate(resolve));
      const settled = new Set(journal.entries.keys());
      const before = journal.begun.length;
      const report = await research(
        task,
        journal.takeOver(),
        world.ports,
        never,
      );
      expect(result(journal, report)).toBe(expected);
      const again = journal.begun.slice(before);
      expect(again.filter((key) => settled.has(key))).toEqual([]);
    }
  }, 180_000);
});

describe('choosing', () => {
  const opened = ({ world }: Awaited<ReturnType<typeof run>>) => world.fetched;

  it('shows all candidates of a round at once, with what the search shows of them', async () => {
    const [first] = (await run()).prompts('research_choice');
    const [, block] = /<data name="candidates">\n([^]*?)\n<\/data>/.exec(
      first.user,
    )!;
    const lines = block
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(24);
    expect(lines[0]).toEqual({
      n: 1,
      direction: 0,
      title: 'Handbook',
      host: 'h.example',
      snippet: 'An excerpt of https://h.example/handbook#lift',
    });
  });

  it('reads what was chosen in its order, and what was dropped only where pages are wanting', async () => {
    const chosen = await run({
      research_choice: () => ({
        lists: [
          { direction: 0, candidates: [4, 4, 0, -3, 1.0, 99] },
          { direction: 9, candidates: [2] },
        ],
      }),
      research_gaps: () => ({
        sufficient: true,
        missing: [],
        contradictions: [],
        queries: [],
      }),
    });
    expect(opened(chosen).slice(0, 2)).toEqual([
      OTHERS[0],
      'https://h.example/handbook',
    ]);
    expect(chosen.report.evidence.sources).toHaveLength(11);
  });

  it('is in the order of the search without an answer', async () => {
    const without = await run({ research_choice: () => 'none' });
    expect(without.report.status).toBe('completed');
    expect(new Set(opened(without).slice(0, 3))).toEqual(
      new Set(['https://h.example/handbook', OTHERS[8], OTHERS[16]]),
    );
  });

  it('is not asked for by a quick run, and not where all candidates are read', async () => {
    const quick = await run({}, { depth: 'quick' });
    expect(quick.prompts('research_choice')).toEqual([]);
    const few = await run({
      research_plan: () => ({
        directions: [{ title: 'Paint', queries: ['paint tonnes'] }],
      }),
    });
    expect(few.prompts('research_choice')).toEqual([]);
  });
});
