import { createHash } from 'node:crypto';
import { Client, type Invocation } from '../../support/client';
import { previousRelease } from '../../support/processes/previous-release';
import {
  waitForChatEnd,
  expectCompleteChatLog,
  BackgroundChat,
} from '../../support/chat/background-chat';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { expectCompletedRun } from '../../support/completed-run';
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
      until(async () => (await invocation.read()).upstream_response_id);
    /** Until a run is purchased and its record has the upstream's id: before that, whether it was purchased is unknown. */
    const recorded = (before: string[]) =>
      until(async () => {
        const { creates_by_invocation } = await stand.stats();
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
        env: { RELAY_API_KEYS: `alice:${HASH}`, RESEARCH_LEASE_SECONDS: '1' },
      });
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
          // The previous release has no such field in its events.
          const { message: _, ...expected } = end.body;
          expectCompleteChatLog(frames, expected);
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
          await until(async () => (await stand.stats()).in_flight === 0);
        });

        it('a run whose worker is killed continues at a worker of the other release', async () => {
          await stand.fault({ kind: 'slow', ms: 3_000 });
          const invocation = await clients[api].submit();
          await begun(invocation);
          const killed = stand.workers.pop()!;
          await killed.stop('SIGKILL');
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
  });
