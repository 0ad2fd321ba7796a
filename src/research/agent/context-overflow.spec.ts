import {
  AgentWorld,
  researchTask,
  TOWER,
  type WorldPage,
} from '../../../test/support/agent/agent-world';
import {
  Crash,
  MemoryJournal,
} from '../../../test/support/agent/memory-journal';
import { contextExceeded } from '../../llm/upstream/upstream-error';
import { research } from './agent';

const never = new AbortController().signal;
const CONFIGURED = 32_768;

/** A sentence of its own in every line, so that quotes are found. */
const pageOf = (name: string, sentences: number): WorldPage => ({
  title: `About ${name}`,
  text: Array.from(
    { length: sentences },
    (_, at) =>
      `The ${name} of the tower has the inventory number ${1_000 + at} in the catalogue of its museum.`,
  ).join('\n\n'),
});
const PAGES = {
  ...TOWER,
  'https://large.example/lift': pageOf('lift', 700),
  'https://large.example/stairs': pageOf('stairs', 700),
};

interface Endpoint {
  /** Tokens of prompt and answer. */
  context: number;
  /** Whether its refusals name it. */
  names?: boolean;
  reversed?: boolean;
}

/** A run against a model whose context is smaller than configured. */
const runOn = ({ context, names = true, reversed }: Endpoint) => {
  const world = new AgentWorld({
    pages: PAGES,
    contextTokens: CONFIGURED,
    reversed,
  });
  const port = world.ports.complete;
  const accepted: string[] = [];
  const refused: string[] = [];
  const complete: typeof port.complete = async (request) => {
    const texts = request.messages.map(({ content }) => content);
    const tokens = world.ports.countTokens(texts.join('\n'), {
      cjk: 1,
      other: 1,
    });
    const prompt = JSON.stringify(texts);
    if (tokens + request.maxTokens <= context) {
      accepted.push(prompt);
      return port.complete(request);
    }
    refused.push(prompt);
    throw contextExceeded('none', {}, names ? context : undefined);
  };
  world.ports.complete = { complete };
  const journal = new MemoryJournal();
  const execute = () =>
    research(researchTask(), journal.takeOver(), world.ports, never);
  return { world, journal, execute, accepted, refused };
};

describe('a model whose context is smaller than configured', () => {
  it.each<[string, Endpoint]>([
    ['and named', { context: 4_096 }],
    ['and small, and named', { context: 3_072 }],
    ['and not named', { context: 4_096, names: false }],
  ])('%s gets shorter prompts, and the run completes', async (_, endpoint) => {
    const { execute, refused, accepted } = runOn(endpoint);
    const end = await execute();
    expect(refused.length).toBeGreaterThan(0);
    expect(end).toMatchObject({ status: 'completed', limitsReached: [] });
    expect(end.sources.map(({ url }) => url)).toContain(
      'https://large.example/lift',
    );
    expect(accepted.length).toBeGreaterThan(refused.length);
  });

  it('is not asked again for what is known to be too long: the next round has shorter prompts at once', async () => {
    const { execute, refused, journal } = runOn({ context: 3_072 });
    await execute();
    const roles = journal.begun.filter((key) => key.includes('^'));
    expect(roles.length).toBe(refused.length);
    expect(roles.filter((key) => /^(outline|write)/.test(key))).toEqual([]);
  });

  it('gets the same prompts from every worker, whenever one disappears', async () => {
    const calm = runOn({ context: 3_072 });
    const report = await calm.execute();
    const prompts = calm.accepted.toSorted();
    for (let at = 1; at <= calm.journal.boundaries; at += 3) {
      const run = runOn({ context: 3_072, reversed: at % 2 === 0 });
      run.journal.crashAt = at;
      await expect(run.execute()).rejects.toThrow(Crash);
      const end = await run.execute();
      expect({ at, end }).toEqual({ at, end: report });
      expect([...new Set(run.accepted)].toSorted()).toEqual([
        ...new Set(prompts),
      ]);
    }
  });

  it('fails the run with the cause where no prompt is short enough', async () => {
    const { execute, refused } = runOn({ context: 10 });
    expect(await execute()).toMatchObject({
      status: 'failed',
      code: 'context_length_exceeded',
    });
    expect(refused.length).toBeLessThanOrEqual(5);
  });
});
