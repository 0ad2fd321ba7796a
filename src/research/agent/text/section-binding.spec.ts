import type { AgentRun } from '../agent-run';
import type { Note } from '../agent.types';
import { bindSection } from './section-binding';

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
});
