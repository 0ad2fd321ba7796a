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
  honestRoles,
  linesIn,
  noteOf,
  notesIn,
  type Roles,
} from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';
import type { AgentReport, ResearchTask } from '../agent.types';
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

/** Knows the boundary at which each step was asked for. */
class MeasuredJournal extends MemoryJournal {
  readonly boundaryOf = new Map<string, number>();

  override step<T>(...args: StepArgs<T>): Promise<T> {
    this.boundaryOf.set(args[0], this.boundaries);
    return super.step(...args);
  }
}
type StepArgs<T> = Parameters<typeof MemoryJournal.prototype.step<T>>;

async function run(roles: Roles = {}, more: Partial<ResearchTask> = {}) {
  const { world, queries } = worldOf(roles);
  const journal = new MeasuredJournal();
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

  it('ends with a page that it had read at the first other part that says nothing', async () => {
    const { journal } = await run({
      research_notes: (blocks) =>
        blocks.page.includes('60 tonnes')
          ? { notes: [] }
          : (ROLES.research_notes(blocks) as object),
    });
    const further = [...journal.entries].flatMap(([key, { value }]) => {
      if (!/^page:public\d\+/.test(key)) return [];
      const { head } = JSON.parse(value!) as { head: { parts: object[] } };
      const place = `${key.replace('page:', 'read:')}:`;
      const read = [...journal.entries.keys()].filter((one) =>
        one.startsWith(place),
      );
      return [{ chosen: head.parts.length, read: read.length }];
    });
    expect(further).toEqual([{ chosen: 2, read: 1 }]);
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

describe('closing gaps', () => {
  const gaps = (more: object) => ({
    research_gaps: () => ({
      sufficient: false,
      missing: ['paint'],
      contradictions: [{ note_ids: ['n1', 'n2'], about: 'the floors' }],
      open: [],
      queries: [],
      ...more,
    }),
  });
  const blockOf = (user: string, name: string): string =>
    new RegExp(`<data name="${name}">\n([^]*?)\n?</data>`).exec(user)![1];
  const briefOf = (user: string) =>
    JSON.parse(blockOf(user, 'brief')) as Record<string, unknown>;
  interface Line {
    n: number;
    direction: number;
    title: string;
  }
  const unreadOf = (user: string): Line[] =>
    blockOf(user, 'unread')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const readIn = ({ journal }: Awaited<ReturnType<typeof run>>, key: string) =>
    [...journal.entries].flatMap(([step, { value }]) => {
      if (!step.startsWith(`page:${key}`)) return [];
      const { head } = JSON.parse(value!) as { head: { title: string } };
      return [head.title];
    });

  it('shows its critic what was found and not read, and what is left of the run', async () => {
    const made = await run();
    const { report, prompts } = made;
    const [{ user }] = prompts('research_gaps');
    const lines = unreadOf(user);
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_, at) => at + 1));
    const read = readIn(made, 'public0.');
    expect(read).toHaveLength(11);
    const titles = lines.map(({ title }) => title);
    expect(titles.filter((one) => read.includes(one))).toEqual([]);
    expect(titles.length + read.length).toBe(Object.keys(PAGES).length);
    expect(lines[0]).toMatchObject({
      host: expect.any(String),
      snippet: expect.stringMatching(/^An excerpt/),
    });
    expect(briefOf(user)).toMatchObject({
      searches_left: 7,
      pages_left: 5,
      max_open: 5,
      max_queries: 3,
      last_round: true,
    });
    expect(report.status).toBe('completed');
  });

  it('reads the pages that its critic opens, each for its direction, without a search where it has no query', async () => {
    const made = await run(gaps({ open: [2, 1, 2, 0, -1, 999] }));
    const { world, queries, report, prompts } = made;
    const [first, second] = unreadOf(prompts('research_gaps')[0].user);
    expect(readIn(made, 'public1').sort()).toEqual(
      [first.title, second.title].sort(),
    );
    for (const { title, direction } of [first, second])
      expect(readIn(made, `public1o.${direction}:`)).toContain(title);
    expect(queries).toEqual([
      'lift of the tower',
      'paint of the tower',
      '"no such words"',
      'owner of the tower',
      'no such words',
    ]);
    const { sources, notes } = report.evidence;
    expect(sources).toHaveLength(13);
    expect(new Set(world.fetched).size).toBe(world.fetched.length - 1);
    const opened = sources.find(({ title }) => title === first.title)!;
    expect(notes.map(({ source }) => source)).toContain(opened.number);
  });

  it('opens no more pages than a round may read, and searches with what they leave', async () => {
    const all = Array.from({ length: 12 }, (_, at) => at + 1);
    const queries = [{ direction: 2, query: 'paint tonnes' }];
    const full = await run(gaps({ open: all, queries }));
    expect(readIn(full, 'public1o')).toHaveLength(5);
    expect(readIn(full, 'public1.')).toEqual([]);
    expect(full.report.evidence.sources).toHaveLength(16);
    expect(full.queries).toContain('paint tonnes');
    const some = await run(gaps({ open: [1, 2], queries }));
    expect(readIn(some, 'public1o')).toHaveLength(2);
    expect(readIn(some, 'public1.')).toHaveLength(3);
  });

  it('reads nothing of what a search for gaps has found where its librarian chooses nothing of it', async () => {
    let calls = 0;
    const queries = [0, 1, 2].map((direction) => ({
      direction,
      query: `paint tonnes ${direction}`,
    }));
    const made = await run({
      ...gaps({ queries }),
      research_choice: (blocks) => {
        calls += 1;
        return calls > 1 ? { lists: [] } : honestRoles.research_choice(blocks);
      },
    });
    expect(made.queries).toContain('paint tonnes 2');
    expect(made.prompts('research_choice')).toHaveLength(2);
    expect(readIn(made, 'public1')).toEqual([]);
    expect(made.report.evidence.sources).toHaveLength(11);
  });

  it('shows what no direction was searched for again to the next critic, but nothing that was read', async () => {
    let round = 0;
    const made = await run(
      {
        research_gaps: () => {
          round += 1;
          return gaps({ open: [round] }).research_gaps();
        },
      },
      { depth: 'deep', budget: { max_pages: 20 } },
    );
    const [first, second] = made
      .prompts('research_gaps')
      .map(({ user }) => unreadOf(user).map(({ title }) => title));
    const [opened] = readIn(made, 'public1o');
    expect(first[0]).toBe(opened);
    expect(second.toSorted()).toEqual(first.slice(1).toSorted());
    expect(
      made.prompts('research_gaps').map(({ user }) => briefOf(user).last_round),
    ).toEqual([false, true]);
  });

  it('asks its critic for what is missing alone where nothing more can be read, and tells the outliner', async () => {
    const answer = gaps({
      open: [1],
      queries: [{ direction: 0, query: 'never asked' }],
    });
    const made = await run(answer, { budget: { max_pages: 1 } });
    const { world, queries, report, prompts } = made;
    const [{ user }, ...others] = prompts('research_gaps');
    expect(others).toEqual([]);
    expect(briefOf(user)).toMatchObject({
      pages_left: 0,
      max_open: 0,
      max_queries: 0,
    });
    expect(unreadOf(user)).toEqual([]);
    expect(queries).not.toContain('never asked');
    expect(report.evidence.sources).toHaveLength(1);
    expect(new Set(world.fetched).size).toBe(1);
    const [outline] = prompts('research_outline');
    expect(briefOf(outline.user)).toMatchObject({
      missing: ['paint'],
    });
    expect(report.limitsReached).toEqual(['max_pages']);
  });

  it('passes on contradictions between notes that there are, also to the writer of the first section that has them', async () => {
    const known: { note_ids: string[]; about: string }[] = [];
    const made = await run({
      research_gaps: (blocks) => {
        const [one, two] = notesIn(blocks).map(({ id }) => id);
        known.push({ note_ids: [one, two], about: 'the floors' });
        const contradictions = [
          { note_ids: [one, 'n999', two], about: 'the floors' },
          { note_ids: [one, 'n998'], about: 'nothing' },
          { note_ids: [one, one], about: 'itself' },
        ];
        return gaps({ contradictions }).research_gaps();
      },
      research_outline: (blocks) => {
        const note_ids = notesIn(blocks).map(({ id }) => id);
        const titles = ['In short', 'Floors', 'Storeys'];
        const sections = titles.map((title) => ({ title, note_ids }));
        return { title: 'The tower', sections };
      },
    });
    expect(known).toHaveLength(1);
    expect(made.report.evidence.contradictions).toEqual(known);
    const [outline] = made.prompts('research_outline');
    expect(briefOf(outline.user).contradictions).toEqual(known);
    const written = made.prompts('research_section').map(({ user }) => {
      const notes = blockOf(user, 'notes');
      const section = JSON.parse(blockOf(user, 'section')) as {
        index: number;
        contradictions?: object[];
      };
      const isBetween = known[0].note_ids.every((id) =>
        notes.includes(`"id":"${id}"`),
      );
      const expected = isBetween && section.index === 1 ? known : undefined;
      expect(section.contradictions).toEqual(expected);
      return expected;
    });
    expect(written).toContain(known);
  });

  it('opens pages where no search is left', async () => {
    const answer = gaps({
      open: [1],
      queries: [{ direction: 0, query: 'never asked' }],
    });
    const made = await run(answer, { budget: { max_searches: 5 } });
    expect(readIn(made, 'public1o')).toHaveLength(1);
    expect(made.queries).not.toContain('never asked');
    expect(made.report.limitsReached).toEqual(['max_searches']);
  });

  it('numbers its rounds in the progress of the run', async () => {
    const { journal } = await run({}, { depth: 'deep' });
    const details = journal.events.flatMap(({ data }) => {
      const { detail = '' } = data as { detail?: string };
      return detail.startsWith('Looking for gaps') ? [detail] : [];
    });
    expect(details).toEqual([
      'Looking for gaps, round 1',
      'Looking for gaps, round 2',
    ]);
  });

  it('has the same report byte for byte wherever its worker is lost in a round that opens pages', async () => {
    const answer = gaps({
      open: [1, 3],
      queries: [{ direction: 2, query: 'paint tonnes' }],
    });
    const undisturbed = await run(answer);
    const expected = result(undisturbed.journal, undisturbed.report);
    const { boundaryOf } = undisturbed.journal;
    const from = boundaryOf.get('gaps:public1')!;
    const to = boundaryOf.get('outline')!;
    expect(to - from).toBeGreaterThan(20);
    for (let at = from + 1; at <= to + 1; at += 1) {
      const { world } = worldOf(answer);
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
