import { createHash } from 'node:crypto';
import { Client, type Invocation } from '../../support/client';
import {
  previousRelease,
  schema1Build,
} from '../../support/processes/previous-release';
import {
  waitForChatEnd,
  expectCompleteChatLog,
  BackgroundChat,
} from '../../support/chat/background-chat';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { expectCompletedRun } from '../../support/completed-run';
import { waitForEnd } from '../../support/event-log';
import { agentEnv } from '../../support/agent/agent-stand';
import { until } from '../../support/until';

const LIST = '/api/v1/tool-invocations';
const QUESTION = '짜장면의 역사를 자세히 알려줘';
const RESEARCH = { model: 'o3-deep-research' };
const KEY = 'key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');

type Release = 'previous' | 'current';
/** The release whose API accepts a request, and the release whose worker runs it. */
const MIXED: [api: Release, worker: Release][] = [
  ['previous', 'current'],
  ['current', 'previous'],
];

const previous = previousRelease();

if (previous === undefined)
  it('the rolling upgrade is skipped without the history that holds the previous release', () => {
    expect(process.env.CI).not.toBe('true');
  });
else
  describe('processes of two releases on one Redis', () => {
    const clients = {} as Record<Release, Client>;
    let stand: Stand;

    const start = (entry: 'main' | 'worker', release: Release) =>
      Service.start(
        entry,
        stand.env,
        release === 'previous' ? previous : undefined,
      );
    /** The only worker from here on. */
    const work = async (release: Release): Promise<Service> => {
      const others = stand.workers.splice(0);
      await Promise.all(others.map((worker) => worker.stop()));
      const worker = await start('worker', release);
      stand.workers.push(worker);
      return worker;
    };
    const other = (release: Release) =>
      clients[release === 'current' ? 'previous' : 'current'];
    const begun = (invocation: Invocation) =>
      until(
        'the run to have an upstream response',
        async (saw) => saw(await invocation.read()).upstream_response_id,
      );
    /** Until a run is purchased and its record has the upstream's id: before that, whether it was purchased is unknown. */
    const recorded = (before: string[]) =>
      until('a new run to be purchased and recorded', async (saw) => {
        const { creates_by_invocation } = saw(await stand.stats());
        const [id] = Object.keys(creates_by_invocation).filter(
          (one) => !before.includes(one),
        );
        const key = `sonde:{${id}}:record`;
        return id && stand.redis.call('HGET', key, 'upstream_id');
      });
    const listed = async (client: Client): Promise<string[]> => {
      const { body } = await client.get(LIST);
      return body.data.map(
        (one: { invocation_id: string }) => one.invocation_id,
      );
    };

    beforeAll(async () => {
      stand = await Stand.start({
        apis: 0,
        workers: 0,
        env: {
          RELAY_API_KEYS: `alice:${HASH}`,
          RESEARCH_MODEL_LIMITS: '*:2',
        },
      });
      // The previous release sends items without a type.
      await stand.configure({ strict_items: false });
      // It has no such variables.
      Object.assign(stand.env, agentEnv(stand));
      for (const release of ['previous', 'current'] as const) {
        const api = await start('main', release);
        stand.apis.push(api);
        clients[release] = new Client(api.url).as(KEY);
      }
    });
    afterAll(() => stand.stop());

    describe.each(MIXED)(
      'an API of the %s release, workers of the %s release',
      (api, worker) => {
        beforeAll(() => work(worker));
        afterEach(() => stand.clearFaults());

        it('research is purchased once, streamed completely, and read and listed by both', async () => {
          const invocation = await clients[api].submit();
          const record = await expectCompletedRun(stand, invocation);
          const elsewhere = await invocation.through(other(api)).read();
          const { question: _, ...known } = elsewhere;
          expect(record).toMatchObject(api === 'current' ? known : {});
          expect(elsewhere).toMatchObject({
            status: 'completed',
            output_text: record.output_text,
            usage: record.usage,
          });
          const lists = await Promise.all(Object.values(clients).map(listed));
          expect(lists[0]).toEqual(lists[1]);
          expect(lists[0][0]).toBe(invocation.id);
        });

        it('a background chat researches and answers, and reads the same at both', async () => {
          const chat = await BackgroundChat.begin(clients[api], {
            message: QUESTION,
          });
          const end = await waitForChatEnd(chat);
          expect(end.body).toMatchObject({
            status: 'completed',
            tool_calls: [{ tool_name: 'deep_research', status: 'completed' }],
          });
          const frames = [];
          for await (const frame of chat.through(other(api)).events())
            frames.push(frame);
          // The previous release has no such fields in its events.
          const {
            message: _message,
            cost: _cost,
            question: _question,
            metadata: _metadata,
            ...expected
          } = end.body;
          const tool_calls = (end.body.tool_calls as { error?: unknown }[]).map(
            ({ error: _error, ...call }) => call,
          );
          expectCompleteChatLog(frames, { ...expected, tool_calls });
        });

        it('a key used at one release returns the same invocation at the other', async () => {
          const headers = { 'idempotency-key': `${api} ${worker}` };
          const first = await clients[api].research({}, headers);
          const again = await other(api).research({}, headers);
          expect(again.headers.get('idempotent-replayed')).toBe('true');
          expect(again.body.invocation_id).toBe(first.body.invocation_id);
        });

        it('either release cancels what runs and deletes what has ended', async () => {
          await stand.fault({ kind: 'stay', status: 'in_progress' });
          const before = (await stand.stats()).cancels;
          const invocation = await clients[api].submit();
          await begun(invocation);
          expect((await invocation.through(other(api)).cancel()).status).toBe(
            202,
          );
          expect(await invocation.wait()).toMatchObject({
            status: 'cancelled',
          });
          expect((await stand.stats()).cancels).toBe(before + 1);
          expect((await invocation.through(other(api)).remove()).status).toBe(
            204,
          );
          expect((await invocation.reply()).status).toBe(404);
          expect(await listed(clients[api])).not.toContain(invocation.id);
        });

        it('either release deletes what runs, at the upstream as well', async () => {
          await stand.fault({ kind: 'stay', status: 'in_progress' });
          const invocation = await clients[api].submit();
          await begun(invocation);
          expect((await invocation.remove()).status).toBe(204);
          expect((await invocation.through(other(api)).reply()).status).toBe(
            404,
          );
          await until(
            'the upstream to have nothing in flight',
            async (saw) => saw(await stand.stats()).in_flight === 0,
          );
        });

        it('a run whose worker is killed continues at a worker of the other release', async () => {
          await stand.fault({ kind: 'slow', ms: 3_000 });
          const invocation = await clients[api].submit();
          await begun(invocation);
          const killed = stand.workers.pop()!;
          await killed.stop('SIGKILL');
          await stand.expireLeases(invocation);
          const next = await start('worker', api);
          stand.workers.push(next);
          await expectCompletedRun(stand, invocation);
        });

        it('a background chat whose worker is killed continues at a worker of the other release, possibly with another engine', async () => {
          await work(worker);
          await stand.fault({ kind: 'slow', ms: 3_000, match: RESEARCH });
          const { creates, creates_by_invocation } = await stand.stats();
          const message = QUESTION;
          const chat = await BackgroundChat.begin(clients[api], { message });
          await recorded(Object.keys(creates_by_invocation));
          await stand.workers.pop()!.stop('SIGKILL');
          await stand.expireLeases();
          stand.workers.push(await start('worker', api));
          expect((await waitForChatEnd(chat)).body).toMatchObject({
            status: 'completed',
            content: expect.stringMatching(/\S/),
            tool_calls: [{ tool_name: 'deep_research', status: 'completed' }],
          });
          expect((await stand.stats()).creates).toBe(creates + 1);
        });
      },
    );

    it('workers of both releases share the places of a model, and every run gets one', async () => {
      await work('previous');
      stand.workers.push(await start('worker', 'current'));
      const { creates } = await stand.stats();
      const runs: Invocation[] = [];
      for (const priority of ['low', 'normal', 'high', 'normal', 'low'])
        for (const client of Object.values(clients))
          runs.push(await client.submit({}, { priority }));
      let most = 0;
      await until(
        'every run to be purchased and done upstream',
        async (saw) => {
          const stats = saw(await stand.stats());
          most = Math.max(most, stats.in_flight);
          return stats.creates === creates + runs.length && !stats.in_flight;
        },
      );
      expect(most).toBeLessThanOrEqual(2);
      for (const run of runs)
        expect(await waitForEnd(run)).toMatchObject({ status: 'completed' });
      for (const key of ['line', 'admitted', 'counts'])
        await until(
          `the admission ${key} to be empty`,
          async (saw) =>
            saw(
              await stand.redis.call('EXISTS', `sonde:{admission}:${key}`),
            ) === 0,
        );
    });

    it('a run of the agent is left alone by a worker that knows no journal, and carried by one of this release', async () => {
      await Promise.all(stand.workers.splice(0).map((one) => one.stop()));
      const old = await Service.start('worker', stand.env, schema1Build());
      stand.workers.push(old);
      const invocation = await clients.current.submit({ engine: 'agent' });
      // Jobs are taken in their order, so the worker has been at the run as well.
      await expectCompletedRun(
        stand,
        await clients.current.submit({ engine: 'hosted' }),
      );
      const key = `sonde:{${invocation.id}}:record`;
      expect(
        await stand.redis.call('HMGET', key, 'schema', 'status', 'fence'),
      ).toEqual(['2', 'queued', '0']);
      stand.workers.push(await start('worker', 'current'));
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'completed',
        engine: 'agent',
        steps: { skipped: 0, ambiguous: [] },
      });
      expect(await old.stop()).toBe(0);
    });
  });
