import { AgentRuns } from '../../../../test/support/agent/agent-runs';
import {
  AgentWorld,
  researchTask,
  type WorldPage,
} from '../../../../test/support/agent/agent-world';
import {
  linesIn,
  noteOf,
  type Roles,
} from '../../../../test/support/agent/scripted-roles';

const FILLER = 'Nothing of interest stands in this sentence here. '.repeat(900);
const PAGES: Record<string, WorldPage> = {
  'https://h.example/book': {
    title: 'Book',
    text: [
      'The book of the tower begins here.',
      'The lift of the tower dates from 1986.',
      'The paint of the tower has 60 tonnes.',
    ].join(`\n\n${FILLER}\n\n`),
  },
};

function worldOf(roles: Roles = {}): AgentWorld {
  return new AgentWorld({
    pages: PAGES,
    finds: (query) => (query.includes('hit') ? [] : Object.keys(PAGES)),
    contextTokens: 8_192,
    roles: {
      research_plan: () => ({
        directions: [
          { title: 'Paint', queries: ['no hit', 'paint tonnes'] },
          { title: 'Lift', queries: ['lift dates'] },
        ],
      }),
      research_notes: (blocks) => ({
        notes: linesIn(blocks)
          .filter(({ text }) => /^The [a-z 0-9]+\d/.test(text))
          .map(({ number, text }) => noteOf(number, text)),
      }),
      ...roles,
    },
  });
}

describe('a run that continues another one', () => {
  const WIDE = researchTask({}, { depth: 'standard' });
  const NARROW = researchTask(
    {},
    { depth: 'standard', budget: { max_pages: 1 } },
  );
  let runs: AgentRuns;

  beforeAll(async () => (runs = await AgentRuns.start()));
  afterAll(() => runs.stop());

  const quotesOf = ({ report }: Awaited<ReturnType<AgentRuns['carryOut']>>) =>
    report.evidence.notes.map(({ quote }) => quote).sort();

  it('keeps all parts that were read of a page, buys none of them again, and does not fetch it', async () => {
    const earlier = await runs.carryOut(worldOf(), { task: WIDE });
    const steps = await runs.journal(earlier.id);
    const opened = [...steps.keys()].filter((key) => /^page:[^#]+$/.test(key));
    expect(opened.length).toBeGreaterThan(1);
    expect(quotesOf(earlier)).toHaveLength(2);

    const world = worldOf();
    const next = await runs.carryOut(world, { task: NARROW, from: earlier.id });
    expect(quotesOf(next)).toEqual(quotesOf(earlier));
    expect(next.report.evidence.sources).toHaveLength(1);
    expect(world.prompts.map(({ role }) => role)).not.toContain(
      'research_notes',
    );
    expect(world.fetched).toEqual([]);
  });

  it('keeps what was noted of a page, and asks for the parts that failed as far as its budget goes', async () => {
    const failing = worldOf({
      research_notes: (blocks) => {
        const [first] = linesIn(blocks).flatMap(({ number, text }) =>
          text.startsWith('The lift') ? [noteOf(number, text)] : [],
        );
        return first ? { notes: [first] } : 'no JSON';
      },
    });
    const { id, ...earlier } = await runs.carryOut(failing, { task: WIDE });
    expect(quotesOf({ id, ...earlier })).toHaveLength(1);
    const next = await runs.carryOut(worldOf(), { task: NARROW, from: id });
    expect(quotesOf(next)).toHaveLength(2);
    const poor = researchTask(
      {},
      { depth: 'standard', budget: { max_tokens: 12_000 } },
    );
    const world = worldOf();
    const least = await runs.carryOut(world, { task: poor, from: id });
    expect(quotesOf(least)).toHaveLength(1);
    expect(world.prompts.map(({ role }) => role)).not.toContain(
      'research_notes',
    );
  });
});
