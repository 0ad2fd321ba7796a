import {
  AgentWorld,
  researchTask,
  type WorldPage,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import { linesIn, noteOf } from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';
import { Inheritance, inheritedField, sortOf } from '../journal/inheritance';
import type { Effect, Price, StepKind } from '../journal/journal';
import { hashOf, type StepRecord } from '../journal/journal-entries';

const never = new AbortController().signal;
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

/** A journal whose run continues another one, as far as its effects are concerned. */
class ContinuedJournal extends MemoryJournal {
  readonly inheritance: Inheritance;
  private readonly inputs = new Map<string, unknown>();

  constructor(earlier?: ContinuedJournal) {
    super();
    const steps = new Map<string, StepRecord>();
    for (const [key, { value }] of earlier?.entries ?? []) {
      if (value === undefined || !earlier!.inputs.has(key)) continue;
      const input = hashOf(earlier!.inputs.get(key));
      const settled = {
        input,
        attempt: 1,
        value: JSON.parse(value) as unknown,
        from: key,
      };
      const record = { settled, attempts: new Map() } as StepRecord;
      steps.set(inheritedField(sortOf(key), input), record);
    }
    this.inheritance = Inheritance.takenFrom(steps);
  }

  override step<T>(
    key: string,
    input: unknown,
    kind: StepKind,
    effect: Effect<T>,
    price?: Price,
  ): Promise<T> {
    this.inputs.set(key, input);
    const known = this.inheritance.find(key, hashOf(input));
    if (known) return Promise.resolve(known.value as T);
    return super.step(key, input, kind, effect, price);
  }
}

function worldOf(): AgentWorld {
  const world = new AgentWorld({
    pages: PAGES,
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
    },
  });
  world.ports.search = {
    has: (scope) => scope === 'public',
    search: ({ text }) =>
      Promise.resolve({
        provider: 'world',
        hits: text.includes('hit')
          ? []
          : [
              {
                url: 'https://h.example/book',
                title: 'Book',
                snippet: '',
                provider: 'world',
              },
            ],
        tried: [],
      }),
  };
  return world;
}

describe('a run that continues another one', () => {
  it('keeps all parts that were read of a page, and buys none of them again', async () => {
    const task = researchTask({}, { depth: 'standard' });
    const first = new ContinuedJournal();
    const earlier = await research(task, first, worldOf().ports, never);
    const pages = [...first.entries.keys()].filter((key) =>
      key.startsWith('page:'),
    );
    expect(pages.length).toBeGreaterThan(1);
    const quotes = earlier.evidence.notes.map(({ quote }) => quote);
    expect(quotes).toHaveLength(2);

    const world = worldOf();
    const second = new ContinuedJournal(first);
    const narrow = researchTask(
      {},
      { depth: 'standard', budget: { max_pages: 1 } },
    );
    const report = await research(narrow, second, world.ports, never);
    expect(report.evidence.notes.map(({ quote }) => quote).sort()).toEqual(
      quotes.sort(),
    );
    expect(report.evidence.sources).toHaveLength(1);
    expect(world.prompts.map(({ role }) => role)).not.toContain(
      'research_notes',
    );
  });
});
