import { createHash } from 'node:crypto';
import { startAgentStand, startVictim } from '../../support/agent/agent-stand';
import type { Client, Invocation } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import type { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KIMCHI =
  'What is the history of kimchi, of jajangmyeon, of haenyeo and of coffee?';
const ALICE = 'alice-s-key';
const BOB = 'bob-s-key';
const sha256 = (text: string) =>
  createHash('sha256').update(text).digest('hex');

interface Quote {
  claim: string;
  quote: string;
  window: string;
  purged?: true;
}
interface ReadSource {
  url: string;
  purged?: true;
  quotes: Quote[];
}
interface Citation {
  url: string;
  quote: string;
  purged?: true;
}

describe('a page that is purged', () => {
  let stand: Stand;
  let alice: Client;
  let bob: Client;
  let parent: Invocation;
  let child: Invocation;
  let other: Invocation;
  /** Read by all three. */
  let url: string;
  let words: Quote[];

  beforeAll(async () => {
    stand = await startAgentStand({
      env: {
        RELAY_API_KEYS: `alice:${sha256(ALICE)},bob:${sha256(BOB)}`,
      },
    });
    alice = stand.client().as(ALICE);
    bob = stand.client().as(BOB);
    await stand.addWorker();
    [parent, other] = await Promise.all([limited(alice), limited(bob)]);
    await Promise.all([waitForEnd(parent), waitForEnd(other)]);
    child = await continued(parent);
    await waitForEnd(child);
    const [read] = await sourcesOf(parent);
    url = read.url;
    words = read.quotes;
  });
  afterAll(() => stand.stop());

  const limited = (client: Client, max_pages = 1) =>
    client.submit({
      research_question: KIMCHI,
      depth: 'standard',
      budget: { max_pages },
    });
  const continued = async ({ path }: Invocation, client = alice) => {
    const { status, body } = await client.post(`${path}/continue`, {
      budget: { max_pages: 1 },
    });
    expect(status).toBe(202);
    return client.invocation(body.invocation_id, body.invocation_token);
  };
  const sourcesOf = async ({ path, headers }: Invocation) =>
    (await stand.client().get(`${path}/sources`, headers)).body
      .data as ReadSource[];
  const evidenceOf = async ({ path, headers }: Invocation) =>
    (await stand.client().get(`${path}/evidence`, headers)).body;
  const stateOf = async (of: Invocation) => [
    await of.through(stand.client()).read(),
    await sourcesOf(of),
    await evidenceOf(of),
    Object.fromEntries(await journalOf(of)),
  ];
  const journalOf = async ({ id }: Invocation) => {
    const flat = (await stand.redis.call(
      'HGETALL',
      `sonde:{${id}}:journal`,
    )) as string[];
    const entries = new Map<string, string>();
    for (let i = 0; i < flat.length; i += 2) entries.set(flat[i], flat[i + 1]);
    return entries;
  };
  const field = async ({ id }: Invocation, name: string) =>
    String(await stand.redis.call('HGET', `sonde:{${id}}:record`, name));
  const cacheKey = () => `sonde:page:${sha256(url)}`;
  const purge = (query: Record<string, string>, client = alice) =>
    client.request(
      'DELETE',
      `/api/v1/pages?${new URLSearchParams(query).toString()}`,
    );

  /** No word of the page is kept beside what the report says of it; its address is. */
  const expectPurged = async (of: Invocation) => {
    const record = await of.through(stand.client()).read();
    const cited = (record.citations as Citation[]).filter(
      (one) => one.url === url,
    );
    for (const one of cited)
      expect(one).toMatchObject({ quote: '', purged: true });
    const sources = await sourcesOf(of);
    const source = sources.find((one) => one.url === url)!;
    expect(source.purged).toBe(true);
    for (const one of source.quotes)
      expect(one).toMatchObject({
        claim: '',
        quote: '',
        window: '',
        purged: true,
      });
    for (const one of sources)
      if (one.url !== url) {
        expect(one).not.toHaveProperty('purged');
        for (const { quote } of one.quotes) expect(quote).not.toBe('');
      }
    const journal = await journalOf(of);
    const dump = [...journal.values(), await field(of, 'citations')].join('\n');
    for (const { window, quote } of words) {
      expect(window.length).toBeGreaterThan(quote.length + 50);
      expect(dump).not.toContain(JSON.stringify(window));
      expect(dump).not.toContain(`"quote":${JSON.stringify(quote)}`);
    }
    const bytes = [...journal].reduce(
      (sum, [name, json]) =>
        sum + Buffer.byteLength(name) + Buffer.byteLength(json),
      0,
    );
    expect(Number(await field(of, 'journal_bytes'))).toBe(bytes);
  };

  it.each([
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'kimchi' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'http://user:password@example.com/' }, 'url'],
    [{ url: 'http://example.com/', cursor: '../x' }, 'cursor'],
  ])(
    'needs an address of the web, and its own cursor: not %j',
    async (query, path) => {
      const { status, body } = await purge(query as Record<string, string>);
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.errors).toMatchObject([{ path }]);
    },
  );

  it('is named once, within 4,096 characters, by a caller with a key', async () => {
    const long = await purge({
      url: `http://example.com/${'x'.repeat(4_096)}`,
    });
    expect(long.body.errors).toMatchObject([{ path: 'url' }]);
    const twice = await alice.request(
      'DELETE',
      '/api/v1/pages?url=http://a.example/&url=http://b.example/',
    );
    expect(twice.body.errors).toMatchObject([{ path: 'url' }]);
    const { status } = await purge({ url }, stand.client());
    expect(status).toBe(401);
  });

  it('changes nothing where nobody has read it', async () => {
    const before = [await stateOf(parent), await stateOf(child)];
    const { status, body } = await purge({ url: 'http://example.com/other' });
    expect(status).toBe(200);
    expect(body).toEqual({
      url: 'http://example.com/other',
      cached: false,
      runs_purged: 0,
      runs_pending: 0,
      has_more: false,
      next_cursor: null,
    });
    expect([await stateOf(parent), await stateOf(child)]).toEqual(before);
  });

  it("leaves the cache and the caller's runs, also one that has inherited it, and no run of another caller", async () => {
    await stand.redis.call('SET', cacheKey(), 'a page', 'PX', '60000');
    expect(words.length).toBeGreaterThan(0);
    const before = await stateOf(other);
    const said = await parent.read();
    const inherited = await field(child, 'inherited_entries');
    const { body } = await purge({ url: `${url}?utm_source=x#top` });
    expect(body).toMatchObject({
      cached: false,
      runs_purged: 2,
      runs_pending: 0,
      has_more: false,
    });
    expect((await purge({ url })).body).toMatchObject({
      url,
      cached: true,
      runs_purged: 0,
    });
    await expectPurged(parent);
    await expectPurged(child);
    const { output_text, sources, usage } = await parent.read();
    expect({ output_text, sources, usage }).toEqual({
      output_text: said.output_text,
      sources: said.sources,
      usage: said.usage,
    });
    expect(await field(child, 'inherited_entries')).toBe(inherited);
    const kept = [...(await journalOf(child)).keys()];
    expect(kept.filter((one) => one.startsWith('inherited:'))).toHaveLength(
      Number(inherited),
    );
    expect(await stateOf(other)).toEqual(before);
  });

  it('is purged once, however often it is requested, and stays so after a restart', async () => {
    const before = [await stateOf(parent), await stateOf(child)];
    const { body } = await purge({ url });
    expect(body).toMatchObject({ cached: false, runs_purged: 0 });
    const api = stand.apis.shift()!;
    await api.stop('SIGKILL');
    await stand.addApi();
    alice = stand.client().as(ALICE);
    bob = stand.client().as(BOB);
    expect((await purge({ url })).body).toEqual(body);
    const again = (of: Invocation) => stateOf(of.through(alice));
    expect([await again(parent), await again(child)]).toEqual(before);
  });

  it('is neither noted nor fetched by a run that continues a purged one', async () => {
    const before = (await stand.stats()).requests.length;
    const next = await continued(parent);
    const record = await waitForEnd(next);
    expect(record.status).toBe('completed');
    expect(
      (record.citations as Citation[]).map((one) => one.url),
    ).not.toContain(url);
    const { requests } = await stand.stats();
    const paths = requests.slice(before).map(({ path }) => path);
    expect(paths).not.toContain(new URL(url).pathname);
  });

  it('is purged at the end of a run that is under way, also through the death of its worker and of one that has just begun to continue another', async () => {
    await Promise.all(
      stand.workers.splice(0).map((one) => one.stop('SIGKILL')),
    );
    const running = await limited(bob);
    const victim = startVictim(stand, { [running.id]: 'after:outline' });
    await victim.end();
    await stand.expireLeases(running);
    // As one whose journal is copied while the other run is purged: it is not listed yet.
    const copy = await continued(other, bob);
    await stand.redis.call('ZREM', 'sonde:caller:bob', copy.id);
    const { body } = await purge({ url }, bob);
    expect(body).toMatchObject({ runs_purged: 1, runs_pending: 1 });
    await expectPurged(other);
    const journal = await journalOf(running);
    expect([...journal.values()].join('\n')).toContain(
      JSON.stringify(words[0].window),
    );
    await stand.addWorker();
    const record = await waitForEnd(running);
    expect(record).toMatchObject({ status: 'completed', error: null });
    await waitForEnd(copy);
    for (const one of [running, copy]) {
      await until(
        `the first source of ${one.id} to be purged`,
        async (saw) => saw(await sourcesOf(one))[0].purged === true,
      );
      await expectPurged(one);
    }
    expect((await purge({ url }, bob)).body).toMatchObject({
      runs_purged: 0,
      runs_pending: 0,
    });
  });

  it('is looked for in a hundred runs at a time, also while another page is purged', async () => {
    const run = await limited(alice, 6);
    await waitForEnd(run);
    const urls = (await sourcesOf(run)).map((one) => one.url);
    expect(urls.length).toBeGreaterThan(1);
    const ids = Array.from(
      { length: 100 },
      (_, at) => `inv_${'f'.repeat(28)}${String(at).padStart(4, '0')}`,
    );
    await stand.redis.call(
      'ZADD',
      'sonde:caller:alice',
      ...ids.flatMap((id) => ['0', id]),
    );
    const first = await purge({ url });
    expect(first.body).toMatchObject({
      runs_purged: 0,
      has_more: true,
      next_cursor: ids[0],
    });
    const rest = await Promise.all(
      urls.map((one) => purge({ url: one, cursor: ids[0] })),
    );
    for (const { body } of rest) {
      expect(body).toMatchObject({ has_more: false, next_cursor: null });
      expect(body.runs_purged).toBeGreaterThan(0);
    }
    expect((await sourcesOf(run)).map(({ purged }) => purged)).toEqual(
      urls.map(() => true),
    );
  });
});
