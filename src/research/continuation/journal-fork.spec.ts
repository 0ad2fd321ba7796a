import { AgentRuns } from '../../../test/support/agent/agent-runs';
import {
  AgentWorld,
  researchTask,
  TOWER,
  type WorldOptions,
} from '../../../test/support/agent/agent-world';
import { honestRoles } from '../../../test/support/agent/scripted-roles';
import { PAUSES } from '../../platform/pause';
import { UpstreamError } from '../../llm/upstream/upstream-error';
import { VERSION_DECISION } from '../agent/agent-versions';
import { JournalForks } from './journal-fork';

const ROLES = [
  'research_scope',
  'research_plan',
  'research_notes',
  'research_gaps',
  'research_outline',
  'research_section',
] as const;
const FAILURES = {
  'is refused': () => 'no JSON',
  'does not come': () => {
    throw new UpstreamError('upstream_quota_exceeded', 'none');
  },
};
const TASK = researchTask({}, { depth: 'standard' });

describe(JournalForks.name, () => {
  let runs: AgentRuns;
  let calm: string;

  beforeAll(async () => {
    PAUSES.scale = 0.001;
    runs = await AgentRuns.start();
    ({ text: calm } = await carryOut());
    expect(calm).toContain('330 metres');
  });
  afterAll(() => runs.stop());

  const carryOut = async (options: WorldOptions = {}, from?: string) => {
    const world = new AgentWorld(options);
    const run = await runs.carryOut(world, { from, task: TASK });
    return { ...run, world };
  };
  /** A critic is told what is left, and a run that continues another one has limits of its own. */
  const withoutRest = (prompt: string): string =>
    prompt.replace(/"searches_left":\d+,"pages_left":\d+/, '');
  const asked = ({ prompts }: AgentWorld) =>
    prompts
      .filter(({ user }) => !user.includes('Your previous answer was refused'))
      .map(({ role, user }) => `${role}\n${user}`);

  it.each(
    ROLES.flatMap((role) =>
      Object.entries(FAILURES).map(([how, fail]) => [role, how, fail] as const),
    ),
  )(
    'has a run ask %s again whose answer %s, and nothing that was answered',
    async (role, _, fail) => {
      const first = await carryOut({ roles: { [role]: fail } });
      const next = await carryOut({}, first.id);
      const before = asked(first.world);
      const failed = before.filter((one) => one.startsWith(role));
      expect(failed.length).toBeGreaterThan(0);
      expect(asked(next.world).map(withoutRest)).toEqual(
        expect.arrayContaining(failed.map(withoutRest)),
      );
      const answered = before.filter((one) => !one.startsWith(role));
      expect(asked(next.world).filter((one) => answered.includes(one))).toEqual(
        [],
      );
      expect(next.text).toBe(calm);
    },
  );

  it('has a run ask nothing but its critic again where all was answered at the second time', async () => {
    const tried = new Set<string>();
    const roles = Object.fromEntries(
      Object.entries(honestRoles).map(([role, answer]) => [
        role,
        (blocks: Parameters<typeof answer>[0]) => {
          const key = role + JSON.stringify(blocks);
          if (tried.has(key)) return answer(blocks);
          tried.add(key);
          return 'no JSON';
        },
      ]),
    );
    const first = await carryOut({ roles });
    expect(first.text).toBe(calm);
    const next = await carryOut({}, first.id);
    const others = next.world.prompts.filter(
      ({ role }) => role !== 'research_gaps',
    );
    expect(others).toEqual([]);
    expect(next.text).toBe(calm);
  });

  it.each(['timeout', 'unauthorized'])(
    'has searches and pages that failed (%s) tried again, and no others',
    async (fault) => {
      const lost = 'https://tower.example/history';
      const unheard = 'tower history';
      const failing = new AgentWorld();
      const { search, pages } = failing.ports;
      failing.ports.search = {
        ...search,
        search: (query, signal) => {
          if (query.text !== unheard) return search.search(query, signal);
          const tried = [{ provider: 'world', fault }];
          throw Object.assign(new Error('no'), { tried });
        },
      };
      failing.ports.pages = {
        read: async (url, signal) => {
          if (url !== lost) return pages.read(url, signal);
          throw Object.assign(new Error('no'), { fault });
        },
      };
      const { id } = await runs.carryOut(failing, { task: TASK });
      const { world, text } = await carryOut({}, id);
      expect(world.queries.map(({ text: query }) => query)).toEqual([unheard]);
      expect(world.fetched).toEqual([lost]);
      expect(text).toContain('Maurice Koechlin');
    },
  );

  it('has a page opened anew of which nothing was noted, for it may have changed', async () => {
    const { id } = await carryOut({
      roles: { research_notes: FAILURES['does not come'] },
    });
    const url = 'https://tower.example/height';
    const text = 'The tower is 331 metres high since it was measured again.';
    const pages = { ...TOWER, [url]: { ...TOWER[url], text } };
    expect((await carryOut({ pages }, id)).text).toContain('331 metres');
  });

  it('passes on the results of every kind of step that had an attempt', async () => {
    const roles = {
      research_section: () => ({
        sentences: [{ text: 'The tower has 77 floors.', note_ids: ['n1'] }],
      }),
      research_object: () => ({ height: '330 metres' }),
    };
    const schema = {
      type: 'object',
      properties: { height: { type: 'string' } },
    };
    const task = researchTask(
      { text_format: { type: 'json_schema', name: 'height', schema } },
      { depth: 'standard', budget: { max_pages: 2 } },
    );
    const { id } = await runs.carryOut(new AgentWorld({ roles }), { task });
    const next = await carryOut({ roles }, id);
    const attempts = [...(await runs.journal(id)).keys()].flatMap(
      (field) => /^([a-z]+)[^#]*#1$/.exec(field)?.[1] ?? [],
    );
    const passed = [...(await runs.journal(next.id)).keys()].flatMap(
      (field) => /^inherited:([a-z]+):/.exec(field)?.[1] ?? [],
    );
    expect(new Set(attempts).size).toBe(11);
    expect(new Set(passed)).toEqual(new Set([...attempts, 'run']));
  });

  it('has a plan without a query made again', async () => {
    const empty = { directions: [{ title: 'Height', queries: ['', ' '] }] };
    const first = await carryOut({ roles: { research_plan: () => empty } });
    expect(first.report).toMatchObject({ code: 'agent_model_failed' });
    expect((await carryOut({}, first.id)).text).toBe(calm);
  });

  it('passes nothing on that has another shape than this release writes', async () => {
    const { id } = await carryOut();
    const { inherited } = await carryOut({}, id);
    expect(inherited).toBeGreaterThan(10);
    for (const [field, json] of await runs.journal(id)) {
      const settled = JSON.parse(json) as { value?: unknown };
      if (settled.value === undefined || field === VERSION_DECISION) continue;
      const value = { kept: { notes: 7 }, head: {}, hits: [{}], models: {} };
      await runs.write(id, field, { ...settled, value });
    }
    const next = await carryOut({}, id);
    expect(next).toMatchObject({ inherited: 0, text: calm });
  });

  it('knows the runs whose steps this release reads, those that begin anew, and refuses the others', async () => {
    const { id } = await carryOut();
    expect(await runs.forks.passesOn(id)).toBe(true);
    const decide = (value: string) =>
      runs.write(id, VERSION_DECISION, { value, decided: true });
    await decide('1');
    expect(await runs.forks.passesOn(id)).toBe(false);
    await decide('99');
    await expect(runs.forks.passesOn(id)).rejects.toMatchObject({
      code: 'agent_version_unknown',
    });
    await expect(runs.forks.passesOn('inv_none')).rejects.toMatchObject({
      code: 'journal_expired',
    });
  });
});
