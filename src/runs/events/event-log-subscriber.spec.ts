import { kindsOn } from '../../../test/support/run-kinds';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { SubscriberPresence } from './subscriber-presence';
import { EventLogSubscriber } from './event-log-subscriber';
import type { LogEvent } from '../record/run-event';
import { WorkerSignals } from '../queue/worker-signals';
import { KEYS } from '../record/run-keys';
import { RunReader } from '../store/run-reader';
import { RunStore } from '../store/run.store';

describe(EventLogSubscriber.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: RunStore;
  let feed: EventLogSubscriber;
  let id: string;
  let fence: string;
  let count = 0;
  const forever = new AbortController().signal;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const config = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(config.redis!, 'wait');
    const { kinds } = kindsOn(connections);
    store = new RunStore(connections, config);
    const signals = new WorkerSignals(connections);
    feed = new EventLogSubscriber(
      connections,
      new RunReader(connections, kinds),
      new SubscriberPresence(store, signals, kinds),
    );
    feed.onModuleInit();
  });

  afterAll(async () => {
    feed.onApplicationShutdown();
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(async () => {
    id = `inv_${(count += 1)}`;
    await store.create(id, {
      tool: 'deep_research',
      mode: 'stream',
      args: '{}',
    });
    const outcome = await store.claim(id, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error('not claimed');
    fence = outcome.claim.fence;
  });

  const write = (seq: number, text: string) =>
    store.append(id, fence, seq, {
      events: [{ type: 'output_text', data: { text } }],
      text,
    });
  const subscribed = async (channel: string) => {
    const [, count] = (await redis.call('PUBSUB', 'NUMSUB', channel)) as [
      string,
      number,
    ];
    return count > 0;
  };
  const finish = () => store.finish(id, fence, { status: 'completed' });
  const collect = async (seq: number): Promise<number[]> => {
    const seqs: number[] = [];
    for await (const event of feed.follow(id, seq, forever))
      seqs.push(event.seq);
    return seqs;
  };

  it('gives every follower every event once and in order, whenever it comes', async () => {
    const early = collect(0);
    for (let seq = 2; seq < 40; seq += 1) await write(seq, 'x');
    const late = collect(10);
    for (let seq = 40; seq < 700; seq += 1) await write(seq, 'x');
    await finish();
    const all = Array.from({ length: 702 }, (_, i) => i + 1);
    expect(await early).toEqual(all);
    expect(await late).toEqual(all.slice(10));
    expect(await collect(0)).toEqual(all);
    expect(await collect(701)).toEqual([702]);
  });

  it('lets a follower that is slow catch up from the log', async () => {
    const events = feed.follow(id, 0, forever);
    const first = (await events.next()).value as LogEvent;
    for (let seq = 2; seq < 600; seq += 1) await write(seq, 'x');
    await finish();
    const rest: number[] = [];
    for await (const { seq } of events) rest.push(seq);
    expect([first.seq, ...rest]).toEqual(
      Array.from({ length: 602 }, (_, i) => i + 1),
    );
  });

  it('ends a follower of a record that was removed', async () => {
    await store.cancel(id, { remove: true });
    const following = collect(0);
    await store.purged(id);
    await store.finish(id, fence, {
      status: 'cancelled',
      error: { code: 'cancelled', message: 'm' },
    });
    await feed.ended(id, forever);
    expect((await following).length).toBeLessThanOrEqual(4);
  });

  it('stops following when the last subscriber has left', async () => {
    const wanted = new AbortController();
    const events = feed.follow(id, 2, wanted.signal);
    const next = events.next();
    wanted.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  describe('where a human has to decide', () => {
    const ask = () =>
      store.await(id, fence, { keys: ['a'], data: { asks: 'a' }, fields: {} });

    it('goes on through it', async () => {
      const following = collect(0);
      await ask();
      await store.decide(id, { a: 'yes' });
      await store.cancel(id, { remove: false });
      expect(await following).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it('tells whoever waits for the end, then and at once', async () => {
      const events = feed.follow(id, 2, forever);
      const waits = [feed.ended(id, forever), feed.ended(id, forever)];
      // All of them have looked, and wait for a ring.
      const next = events.next();
      await write(2, 'x');
      await next;
      await ask();
      await Promise.all(waits);
      await feed.ended(id, forever);
      await events.return(undefined);
    });

    it('lets wait for the end of what goes on', async () => {
      await ask();
      await store.decide(id, { a: 'yes' });
      const ending = feed
        .ended(id, forever)
        .then(() => store.claim(id, 'two', 60_000));
      await store.cancel(id, { remove: false });
      expect(await ending).toEqual({ kind: 'final' });
    });

    it('tells it also to those to whom pub/sub does not', async () => {
      const waits = feed.ended(id, forever);
      await until('the channel to be subscribed to', () =>
        subscribed(KEYS.channel(id)),
      );
      // As after an outage: what was said meanwhile is not heard.
      await connections.subscriber.unsubscribe(KEYS.channel(id));
      await ask();
      connections.subscriber.emit('ready');
      await waits;
    });

    it('ends a follower of one that has expired', async () => {
      const following = collect(0);
      await ask();
      await redis.call('DEL', KEYS.record(id), KEYS.log(id), KEYS.text(id));
      connections.subscriber.emit('ready');
      expect((await following).length).toBeLessThanOrEqual(4);
      await feed.ended(id, forever);
    });
  });

  it('tells the end to whoever waits for it', async () => {
    const waits = [feed.ended(id, forever), feed.ended(id, forever)];
    await write(2, 'x');
    await finish();
    await Promise.all(waits);
    await feed.ended(id, forever);
  });
});
