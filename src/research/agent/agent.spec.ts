import {
  AgentWorld,
  researchTask,
  TOWER,
  type WorldOptions,
} from '../../../test/support/agent/agent-world';
import {
  Crash,
  MemoryJournal,
} from '../../../test/support/agent/memory-journal';
import {
  judgedIn,
  linesIn,
  noteOf,
  notesIn,
} from '../../../test/support/agent/scripted-roles';
import { research } from './agent';
import type { AgentReport, ResearchTask } from './agent.types';

const never = new AbortController().signal;

async function run(
  options: WorldOptions = {},
  task: ResearchTask = researchTask(),
) {
  const world = new AgentWorld(options);
  const journal = new MemoryJournal();
  const report = await research(task, journal, world.ports, never);
  return { world, journal, report };
}

/** Everything that a caller gets of a run. */
const result = (journal: MemoryJournal, report: AgentReport) =>
  JSON.stringify({ text: journal.text, events: journal.events, report });

const FILLER = 'Nothing of interest stands in this sentence here. ';

/** A page of several parts, each of which ends at a heading; the search names the last one. */
const HANDBOOK = {
  title: 'Handbook',
  fragment: 'Paint',
  text: [
    ['# Handbook of the tower', 'The tower has 1,665 steps.'],
    ['## Lift', 'The lift of the tower takes 8 minutes.'],
    ['## Kitchen', 'The kitchen seats 90 guests.'],
    ['## Paint', 'The paint of the tower weighs 60 tonnes.'],
  ]
    .map((lines) => [...lines, FILLER.repeat(100)].join('\n\n'))
    .join('\n\n'),
};

/** Two rounds, a page in parts, sentences that are judged twice and mended: every kind of step. */
const everyStep: WorldOptions = {
  pages: { 'https://h.example/book': HANDBOOK, ...TOWER },
  roles: {
    research_gaps: () => ({
      sufficient: false,
      missing: ['the lift'],
      contradictions: [],
      queries: [{ direction: 1, query: 'lift of the tower' }],
    }),
    research_notes: (blocks) => ({
      notes: [
        ...linesIn(blocks)
          .filter(({ text }) => text !== FILLER.trim())
          .map(({ number, text }) => noteOf(number, text)),
        noteOf(99, 'A line that was not shown.'),
      ],
    }),
    research_section: (blocks) => ({
      sentences: notesIn(blocks).map(({ id, quote }, at) => {
        const isReworded = at % 2 === 0;
        const text = isReworded ? `So: ${quote}` : quote.replace(/\d+/, '77');
        return { text, note_ids: [id] };
      }),
    }),
    research_verify: (blocks) => ({
      answers: judgedIn(blocks).map(({ id, passages: [{ quotes }] }) => ({
        id,
        words: [blocks.faults ? quotes[0].slice(0, 200) : 'It stands nowhere.'],
        verdict: 'supported',
      })),
    }),
  },
};

describe(research.name, () => {
  it('reads of a page the part that the search names, then other parts for other queries, under their headings', async () => {
    const { journal, report } = await run(everyStep);
    const keys = [...journal.entries.keys()];
    const further = keys.filter((key) => /^page:public\d\+/.test(key));
    expect(further.length).toBeGreaterThan(0);
    const { notes, sources } = report.evidence;
    const { number } = sources.find(({ title }) => title === 'Handbook')!;
    const headings = notes
      .filter(({ source }) => source === number)
      .map((note) => note.headings?.join(' > '));
    expect(headings).toContain('Handbook of the tower > Paint');
    expect(new Set(headings).size).toBeGreaterThan(2);
  });

  it('writes a report whose text is the joined events and whose citations are numbers, which its end defines as links to what was read', async () => {
    const { journal, report, world } = await run();
    expect(report).toMatchObject({
      status: 'completed',
      limitsReached: [],
      model: 'scripted',
    });
    const deltas = journal.events
      .filter(({ type }) => type === 'output_text')
      .map(({ data }) => (data as { text: string }).text);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join('')).toBe(journal.text);
    expect(report.citations.length).toBeGreaterThan(3);
    const points = Array.from(journal.text);
    const { notes } = report.evidence;
    for (const one of report.citations) {
      const range = points.slice(one.start_index, one.end_index).join('');
      expect(range).toMatch(/^\[\d+\]$/);
      expect(journal.text).toContain(`\n${range}: ${one.url}`);
      expect(world.fetched).toContain(one.url);
      const sentence = points.slice(one.sentence_start, one.sentence_end);
      expect(notes.map(({ claim }) => claim)).toContain(sentence.join(''));
    }
  });

  it('reports searches, pages and stages as progress', async () => {
    const { journal } = await run();
    const kinds = journal.events
      .filter(({ type }) => type === 'progress')
      .map(({ data }) => data as { kind: string; detail: string });
    expect(kinds).toContainEqual({
      kind: 'web_search',
      detail: 'tower height',
    });
    expect(kinds).toContainEqual({
      kind: 'open_page',
      detail: 'https://tower.example/height',
    });
    expect(kinds).toContainEqual({ kind: 'reasoning', detail: 'Plan' });
  });

  it('is the same byte for byte after a crash at any boundary, and repeats no settled step', async () => {
    const undisturbed = await run(everyStep);
    const expected = result(undisturbed.journal, undisturbed.report);
    expect(undisturbed.journal.boundaries).toBeGreaterThan(60);
    for (let at = 1; at <= undisturbed.journal.boundaries; at += 1) {
      const world = new AgentWorld(everyStep);
      const journal = new MemoryJournal();
      journal.crashAt = at;
      const task = researchTask();
      await expect(research(task, journal, world.ports, never)).rejects.toThrow(
        Crash,
      );
      // What was under way beside the crash ends without a result.
      await new Promise((resolve) => setImmediate(resolve));
      const settled = new Set(journal.entries.keys());
      const begunBefore = journal.begun.length;
      const report = await research(
        task,
        journal.takeOver(),
        world.ports,
        never,
      );
      expect(result(journal, report)).toBe(expected);
      const again = journal.begun.slice(begunBefore);
      expect(again.filter((key) => settled.has(key))).toEqual([]);
    }
  }, 180_000);

  it('is the same when its worker disappears at every boundary of one run', async () => {
    const undisturbed = await run(everyStep);
    const world = new AgentWorld(everyStep);
    const journal = new MemoryJournal();
    const task = researchTask();
    let report: AgentReport | undefined;
    let crashes = 0;
    while (!report && crashes < 200) {
      const { size } = journal.entries;
      journal.boundaries = 0;
      // Each worker gets further than the one before it: up to six boundaries, of steps that may stand side by side.
      journal.crashAt = 6;
      try {
        report = await research(task, journal.takeOver(), world.ports, never);
      } catch (error) {
        expect(error).toBeInstanceOf(Crash);
        crashes += 1;
        await new Promise((resolve) => setImmediate(resolve));
        expect(journal.entries.size).toBeGreaterThan(size);
      }
    }
    expect(crashes).toBeGreaterThan(10);
    expect(result(journal, report!)).toBe(
      result(undisturbed.journal, undisturbed.report),
    );
  });

  it('does not depend on which of several effects ends first', async () => {
    const [forward, reversed] = await Promise.all([
      run(everyStep),
      run({ ...everyStep, reversed: true }),
    ]);
    expect(reversed.journal.text).toBe(forward.journal.text);
    expect(reversed.report).toEqual(forward.report);
    expect([...reversed.journal.entries.keys()].sort()).toEqual(
      [...forward.journal.entries.keys()].sort(),
    );
  });

  it('reads a page again for its notes when the worker that fetched it is gone, and skips it if it has changed', async () => {
    const pages = {
      'https://a.example/': {
        title: 'A',
        text: 'The tower is 330 metres high. It is green.',
      },
    };
    const journal = new MemoryJournal();
    const first = new AgentWorld({ pages });
    const task = researchTask();
    const boundary = await boundaryAfter('page:public0.0:0', { pages });
    journal.crashAt = boundary;
    await expect(research(task, journal, first.ports, never)).rejects.toThrow(
      Crash,
    );
    const changed = {
      'https://a.example/': {
        title: 'A',
        text: 'It is 999 metres high, they say now.',
      },
    };
    const second = new AgentWorld({ pages: changed });
    const report = await research(
      task,
      journal.takeOver(),
      second.ports,
      never,
    );
    expect(second.fetched).toEqual(['https://a.example/']);
    expect(report).toMatchObject({
      status: 'incomplete',
      code: 'nothing_found',
    });
    expect(journal.text).toBe('');
  });

  it('asks a quick question with at most two searches', async () => {
    const { world } = await run({}, researchTask({}, { depth: 'quick' }));
    expect(world.queries.length).toBeLessThanOrEqual(2);
  });

  it('searches again for what the critic misses, at most as often as the depth allows, whatever it answers', async () => {
    let asked = 0;
    const roles = {
      research_gaps: () => {
        asked += 1;
        const query = `another part ${asked}`;
        return {
          sufficient: false,
          missing: ['x'],
          contradictions: [],
          queries: [{ direction: 0, query }],
        };
      },
    };
    const { world, report } = await run(
      { roles },
      researchTask({}, { depth: 'deep' }),
    );
    const texts = world.queries.map(({ text }) => text);
    expect(texts.slice(-2)).toEqual(['another part 1', 'another part 2']);
    expect(asked).toBe(2);
    expect(report.status).toBe('completed');
  });
});

/** The boundary after the step with this key is on record. */
async function boundaryAfter(
  key: string,
  options: WorldOptions,
): Promise<number> {
  const world = new AgentWorld(options);
  const journal = new MemoryJournal();
  let found = 0;
  const step = journal.step.bind(journal);
  journal.step = async (at, ...rest) => {
    const value = await step(
      at,
      ...(rest as Parameters<typeof step> extends [string, ...infer R]
        ? R
        : never),
    );
    if (at === key) found = journal.boundaries;
    return value as never;
  };
  await research(researchTask(), journal, world.ports, never);
  return found;
}

describe('the date', () => {
  it('of the start of the run is in every prompt, also of a takeover on another day', async () => {
    const world = new AgentWorld(everyStep);
    const journal = new MemoryJournal();
    world.now = Date.parse('2026-01-01T14:59:00Z');
    let report: AgentReport | undefined;
    for (let crashAt = 5; !report; crashAt += 9) {
      Object.assign(journal, { crashAt, boundaries: 0 });
      const task = researchTask(
        {},
        { deadlineMs: world.now + 90 * 86_400_000 },
      );
      report = await research(
        task,
        journal.takeOver(),
        world.ports,
        never,
      ).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
        world.now += 60_000;
        return undefined;
      });
    }
    expect(report.status).toBe('completed');
    expect(new Set(world.prompts.map(({ role }) => role)).size).toBe(8);
    for (const { system } of world.prompts)
      expect(system).toMatch(
        /Today is Thursday,? 1 January 2026 \(Asia\/Seoul\)\./,
      );
  });
});
