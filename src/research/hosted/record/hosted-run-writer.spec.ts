import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { Invocations } from '../../../../test/support/invocations';
import { TestRedis } from '../../../../test/support/redis/redis';
import { RunLost } from '../../../runs/worker/run-writer';
import { HostedRunWriter } from './hosted-run-writer';
import { PurchaseStore } from './purchase.store';

const ID = 'inv_1';
const forever = new AbortController().signal;

const delta = (seq: number, text: string) =>
  ({
    type: 'response.output_text.delta',
    sequence_number: seq,
    item_id: 'message',
    output_index: 0,
    content_index: 0,
    delta: text,
  }) as ResponseStreamEvent;
const search = (query: string) => ({
  type: 'web_search_call' as const,
  id: query,
  status: 'completed' as const,
  action: { type: 'search' as const, query },
});
const searched = (seq: number, query: string) =>
  ({
    type: 'response.output_item.done',
    sequence_number: seq,
    output_index: 0,
    item: search(query),
  }) as ResponseStreamEvent;

describe(HostedRunWriter.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let fence: string;
  let writer: HostedRunWriter;
  let purchases: PurchaseStore;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(redis);
    purchases = new PurchaseStore(room.connections);
    await room.create(ID);
    writer = await claimed();
  });
  afterEach(() => room.close());

  async function claimed(): Promise<HostedRunWriter> {
    const outcome = await room.store.claim(ID, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    ({ fence } = outcome.claim);
    return new HostedRunWriter(room.store, purchases, outcome.claim);
  }
  /** The writer of the next worker, after this one has lost its lease. */
  async function successor(): Promise<HostedRunWriter> {
    await room.store.release(ID, fence);
    return claimed();
  }
  const record = () => redis.dump(`sonde:{${ID}}:*`);
  const logged = async (type: string) => {
    const events = await room.reader.readLog(ID, 0, 100);
    return events
      .filter((event) => event.type === type)
      .map(({ data }) => JSON.parse(data) as Record<string, string>);
  };

  it.each<[string, (stale: HostedRunWriter) => Promise<unknown>]>([
    ['events', (stale) => stale.appendEvents([delta(0, 'late')])],
    ['text', (stale) => stale.appendText('late')],
    ['a phase', (stale) => stale.enterPhase('asks', 'late')],
    ['a wait', (stale) => stale.reportWait('limited', 5_000)],
    ['an attempt', (stale) => stale.recordAttempt('late')],
    ['an upstream id', (stale) => stale.adopt('resp_late', forever)],
  ])('throws RunLost with a stale fence and writes no %s', async (_, write) => {
    await successor();
    const before = await record();
    await expect(write(writer)).rejects.toThrow(RunLost);
    expect(await record()).toBe(before);
  });

  it('continues where the worker before it stopped, without a duplicate event or a gap', async () => {
    await writer.appendEvents([searched(0, 'kimchi'), delta(1, 'one ')]);
    const next = await successor();
    expect(next.upstreamSeq).toBe(1);
    // The space may be the beginning of a mark.
    expect(next.text).toBe('one');
    await next.appendEvents([
      searched(0, 'kimchi'),
      delta(1, 'one '),
      delta(2, 'two'),
    ]);
    expect(await room.reader.readText(ID)).toBe('one two');
    expect(await logged('progress')).toEqual([
      { kind: 'web_search', detail: 'kimchi' },
    ]);
  });

  it('emits a step once, whether a poll or the stream shows it first', async () => {
    const output = [search('kimchi'), search('jajangmyeon')];
    await writer.appendProgress({ output } as never);
    await writer.appendProgress({ output } as never);
    await writer.appendEvents([
      searched(0, 'kimchi'),
      searched(1, 'jajangmyeon'),
      searched(2, 'bibimbap'),
    ]);
    const details = (await logged('progress')).map(({ detail }) => detail);
    expect(details).toEqual(['kimchi', 'jajangmyeon', 'bibimbap']);
    expect((await room.reader.read(ID))?.progress).toMatchObject({
      searches: 3,
      last_step: 'bibimbap',
    });
  });

  it('records an attempt before its outcome, which the next worker sees as open', async () => {
    await writer.recordAttempt('first');
    expect((await successor()).hasOpenAttempt).toBe(true);
  });

  it('records that an attempt began nothing, so that the next worker purchases', async () => {
    await writer.recordAttempt('first');
    await writer.recordAttempt('');
    expect((await successor()).hasOpenAttempt).toBe(false);
  });

  it('counts the requests that may have bought something, over workers', async () => {
    await writer.recordAttempt('refused');
    await writer.recordAttempt('');
    await writer.recordAttempt('first');
    await (await successor()).recordAttempt('second');
    expect(await room.reader.readSome(ID, 'purchases')).toEqual({
      purchases: '2',
    });
  });

  it('never replaces an upstream id that is on record', async () => {
    await writer.recordAttempt('first');
    await purchases.adoptLost(ID, 'first', 'resp_webhook');
    expect(await writer.adopt('resp_reply', forever)).toBe('resp_webhook');
    expect(writer.upstreamId).toBe('resp_webhook');
    expect((await room.reader.read(ID))?.upstreamId).toBe('resp_webhook');
  });

  it('reports a wait at most once a minute, and none that is short', async () => {
    await writer.reportWait('limited', 100);
    await writer.reportWait('unreachable', 5_000);
    await writer.reportWait('failing', 5_000);
    expect(await logged('progress')).toEqual([
      {
        kind: 'waiting',
        detail: 'The model endpoint cannot be reached; the next try is in 5 s',
      },
    ]);
  });

  it('keeps the phase and its findings for the next worker', async () => {
    const sources = [{ url: 'https://example.com', title: 'Example' }];
    await writer.enterPhase('private', undefined, {
      public: JSON.stringify({ text: 'found', sources }),
    });
    const next = await successor();
    expect(next.phase).toBe('private');
    expect(next.publicSources).toEqual(sources);
    expect(await logged('progress')).toEqual([]);
  });
});
