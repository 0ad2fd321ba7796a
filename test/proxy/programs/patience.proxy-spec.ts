import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { ENV, expectAnswers, keyOf, type Program, PROGRAMS } from './programs';

const NAMES = [...PROGRAMS.keys()];

describe('research of 90 s by programs under the time limits that they have or set', () => {
  let stand: Stand;
  const printed = new Map<string, Promise<string>>();

  // One starts when the one before has bought, and all wait together.
  beforeAll(async () => {
    const programs = new Map<string, Program>();
    for (const [name, install] of PROGRAMS) programs.set(name, await install());
    stand = await Stand.start({ researchMs: 90_000, env: ENV });
    for (const [name, program] of programs) {
      const { creates } = await stand.stats();
      const running = program(`${stand.apis[0].url}/v1`, keyOf(name));
      printed.set(name, running);
      const bought = until(
        `the purchase of ${name}`,
        async (saw) => saw((await stand.stats()).creates) > creates,
      );
      await Promise.race([bought, running]).catch(() => undefined);
    }
    await Promise.allSettled(printed.values());
  }, 3_600_000);
  afterAll(() => stand?.stop());

  it.each(NAMES)('has its answer: %s', async (name) => {
    expectAnswers(await printed.get(name)!);
  });

  it('is bought once by each', async () => {
    const { creates_by_invocation } = await stand.stats();
    expect(Object.values(creates_by_invocation)).toEqual(NAMES.map(() => 1));
  });
});
