import { Stand } from '../../support/processes/stand';
import { ENV, expectAnswers, keyOf, PROGRAMS } from './programs';

describe('ordinary programs, with another base URL and key', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 100, env: ENV });
  });
  afterAll(() => stand?.stop());
  afterEach(() => stand.reset());

  it.each([...PROGRAMS])(
    'chats, and researches once: %s',
    async (name, install) => {
      const program = await install();
      const url = `${stand.apis[0].url}/v1`;
      expectAnswers(await program(url, keyOf(name)));
      expect((await stand.stats()).creates).toBe(1);
    },
    900_000,
  );
});
