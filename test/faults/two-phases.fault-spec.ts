import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preload } from '../support/processes/preload';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';
import { waitForEnd } from '../support/event-log';

const PRIVATE_PAGE = 'https://sandbox.example/private/menu-notes';

interface Death {
  point: string;
  /** Of the research and of its public phase: the error code if it did not complete. */
  ends: string[];
  creates: number[];
  sources: string[];
}

/** Kills the worker of both phases at one step after the other, and has another continue. */
async function enumerate(when: 'before' | 'after'): Promise<Death[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const config = join(folder, 'hosted.json');
  const wiki = { url: 'https://wiki.example.com/mcp', trusted: true };
  const research = ['web_search', 'mcp:wiki'];
  writeFileSync(config, JSON.stringify({ mcp: { wiki }, research }));
  const stand = await Stand.start({
    researchMs: 30,
    env: {
      RELAY_HOSTED_TOOLS_CONFIG: config,
      RESEARCH_MODEL_LIMITS: '*:1',
    },
  });
  try {
    const deaths: Death[] = [];
    for (let n = 1; ; n += 1) {
      const death = await dieAt(`${when}:${n}:`, stand);
      if (!death) return deaths;
      deaths.push(death);
    }
  } finally {
    await stand.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Undefined: both phases had ended before that point. */
async function dieAt(point: string, stand: Stand): Promise<Death | undefined> {
  const [rescuer] = stand.workers;
  rescuer.signal('SIGSTOP');
  const invocation = await stand.client().submit({
    research_question: 'Kimchi and jajangmyeon in detail',
    data_sources: 'web_then_private',
  });
  const victim = Service.spawn('worker', {
    ...stand.env,
    ...preload('fail-point', { FAIL_POINT: point }),
  });
  const died = await Promise.race([
    victim.end().then(() => true),
    waitForEnd(invocation).then(() => false),
  ]);
  await victim.stop('SIGKILL');
  await stand.expireLeases();
  rescuer.signal('SIGCONT');
  if (!died) return undefined;
  const { id, token } = invocation;
  const first = `${id.slice(0, 16)}8${id.slice(17)}`;
  const record = await waitForEnd(invocation);
  const phase = await waitForEnd(stand.client().invocation(first, token));
  const { creates_by_invocation } = await stand.stats();
  // Leftovers of this one would be the next worker's first claim.
  await until(
    'nothing to be left',
    async (saw) =>
      saw(await stand.redis.call('LLEN', '{sonde}:research:active')) === 0 &&
      saw(await stand.redis.call('ZCARD', 'sonde:unfinished')) === 0,
  );
  return {
    point,
    ends: [record, phase].map(({ status, error }) => error?.code ?? status),
    creates: [id, first].map((of) => creates_by_invocation[of] ?? 0),
    sources: (record.sources ?? []).map(({ url }: { url: string }) => url),
  };
}

describe('a worker that is killed at any step of two-phase research', () => {
  let deaths: Death[];

  beforeAll(async () => {
    const both = [enumerate('before'), enumerate('after')];
    deaths = (await Promise.all(both)).flat();
  }, 900_000);

  it('never purchases either phase twice', () => {
    expect(deaths.length).toBeGreaterThan(60);
    // Killed before a request left, no other worker repeats it.
    for (const { point, creates } of deaths)
      expect([point, creates.filter((purchased) => purchased > 1)]).toEqual([
        point,
        [],
      ]);
  });

  it('ends both phases, and completes unless the outcome of a purchase is unknown', () => {
    for (const { point, ends, creates, sources } of deaths) {
      const [end, phase] = ends;
      if (ends.includes('ambiguous_submit')) {
        expect([point, end]).toEqual([point, 'ambiguous_submit']);
        continue;
      }
      expect([point, end, phase]).toEqual([point, 'completed', 'completed']);
      expect(creates).toEqual([1, 1]);
      expect(sources).toContain(PRIVATE_PAGE);
      expect(sources.length).toBeGreaterThan(1);
    }
    const ambiguous = deaths.filter(({ ends }) =>
      ends.includes('ambiguous_submit'),
    );
    expect(ambiguous.length).toBeLessThan(deaths.length / 4);
  });
});
