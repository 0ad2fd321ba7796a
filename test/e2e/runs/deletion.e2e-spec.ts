import type { Client } from '../../support/client';
import { BackgroundChat } from '../../support/chat/background-chat';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const MARKER = 'MARKER-짜장면';
const QUESTION = `${MARKER}의 역사를 자세히 알려줘`;
const RESEARCH_MODEL = { model: 'o3-deep-research' };
const DELETES = { method: 'DELETE' };

describe('deletion', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start();
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const begin = () => BackgroundChat.begin(client, { message: QUESTION });
  const submit = () => client.submit({ research_question: QUESTION });
  /** Neither Redis nor the upstream holds any part of it. */
  const isGone = async (...responses: string[]): Promise<boolean> => {
    if ((await stand.redis.dump()).includes(MARKER)) return false;
    const replies = await Promise.all(
      responses.map((id) => fetch(`${stand.sandbox.url}/v1/responses/${id}`)),
    );
    return replies.every(({ status }) => status === 404);
  };

  it("of a chat includes its research, and the upstream's copies of both", async () => {
    const chat = await begin();
    const reply = await chat.wait();
    const [{ invocation_id }] = reply.tool_calls;
    const research = await chat.invocation(invocation_id).read();
    const responses = [reply.response_id, research.upstream_response_id];
    expect(await isGone()).toBe(false);
    expect((await chat.remove()).status).toBe(204);
    expect(await stand.redis.hasForgotten(chat.id)).toBe(true);
    expect(await stand.redis.hasForgotten(invocation_id)).toBe(true);
    await until('the chat and its upstream responses to be gone', () =>
      isGone(...responses),
    );
    const { body } = await client.get('/api/v1/tool-invocations');
    expect(body.data).toEqual([]);
  });

  it('of a running chat first stops its research, then deletes it', async () => {
    const match = RESEARCH_MODEL;
    await stand.fault({ kind: 'stay', status: 'in_progress', match });
    const chat = await begin();
    await until(
      'the research to be purchased',
      async (saw) => saw(await stand.stats()).creates === 1,
    );
    expect((await chat.remove()).status).toBe(204);
    await until('the research to be cancelled upstream', async (saw) => {
      const { cancels, in_flight } = saw(await stand.stats());
      return cancels === 1 && in_flight === 0;
    });
    await until('the chat to be gone', () => isGone());
  });

  it('at the upstream is retried as often as necessary, and delays no request', async () => {
    const invocation = await submit();
    const { upstream_response_id } = await invocation.wait();
    const fault = { kind: 'status', status: 503, count: 2, match: DELETES };
    await stand.fault(fault);
    expect((await invocation.remove()).status).toBe(204);
    expect(await stand.redis.hasForgotten(invocation.id)).toBe(true);
    await until('the run and its upstream response to be gone', () =>
      isGone(upstream_response_id),
    );
  });

  it('at the upstream is done by the next worker if there is none', async () => {
    const invocation = await submit();
    const { upstream_response_id } = await invocation.wait();
    const workers = stand.workers.splice(0);
    await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
    expect((await invocation.remove()).status).toBe(204);
    await stand.addWorker();
    await until('the run and its upstream response to be gone', () =>
      isGone(upstream_response_id),
    );
  });

  it('is requested only once from an endpoint that does not support it', async () => {
    const invocation = await submit();
    await invocation.wait();
    await stand.fault({
      kind: 'status',
      status: 405,
      count: 0,
      match: DELETES,
    });
    const asked = async () =>
      (await stand.stats()).requests.filter(
        ({ method }) => method === 'DELETE',
      );
    await invocation.remove();
    await until(
      'the deletion to be requested upstream',
      async (saw) => saw(await asked()).length > 0,
    );
    const queue = '{sonde}:response-deletions:*';
    await until(
      'the queue to hold no deletion',
      async (saw) => !saw(await stand.redis.dump(queue)).includes('resp_'),
    );
    expect(await asked()).toHaveLength(1);
  });

  it('of a chat retains an alarm that it set: the alarm is listed, and deleted separately', async () => {
    const time = new Date(Date.now() + 3_600_000).toISOString();
    const { body: set } = await client.post('/api/v1/tool-invocations', {
      tool_name: 'set_alarm',
      arguments: { time, message: MARKER },
    });
    const { alarm_id } = set.contents[0].value;
    const by = client.invocation(set.invocation_id, set.invocation_token);
    expect((await by.remove()).status).toBe(204);
    const alarm = client.invocation(alarm_id, set.invocation_token);
    expect((await alarm.read()).status).toBe('queued');
    expect((await alarm.remove()).status).toBe(204);
    await until('the chat and its alarm to be gone', () => isGone());
  });
});
