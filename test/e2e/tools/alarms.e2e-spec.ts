import { untilResearchRuns } from '../../support/chat/chats';
import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import { QUEUE_PREFIX } from '../../../src/app/queue-options';
import { all, type Client, type Invocation } from '../../support/client';
import { doctor } from '../../support/processes/doctor';
import { Receiver } from '../../support/receiver';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { waitForEnd } from '../../support/event-log';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');
const API_KEYS = ['alice', 'bob']
  .map((name) => `${name}:${hash(`key-of-${name}`)}`)
  .join();
const PATH = '/api/v1/tool-invocations';
const HOUR = 3_600_000;
/** Until an alarm that a test makes due itself. */
const SOON = 600_000;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('an alarm', () => {
  let stand: Stand;
  let receiver: Receiver;
  let alice: Client;
  let tools: Queue;
  let alarms: Queue;

  beforeAll(async () => {
    receiver = await Receiver.start();
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: API_KEYS,
        // Keeps the alarm from waiting for a tool that waits for the alarm.
        RELAY_TOOL_CONCURRENCY: '1',
        RELAY_WEBHOOK_SECRETS: '*:whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        RELAY_WEBHOOK_URLS: `alice=${receiver.url}/alice`,
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    });
    alice = stand.client().as('key-of-alice');
    const path = stand.redis.socket;
    const options = { connection: { path }, prefix: QUEUE_PREFIX };
    tools = new Queue('tools', options);
    alarms = new Queue('alarms', options);
  });
  afterEach(async () => {
    for (const id of await waiting()) await alice.post(`${PATH}/${id}/cancel`);
    await stand.reset();
  });
  afterAll(async () => {
    await tools.close();
    await alarms.close();
    await stand.stop();
    await receiver.stop();
  });

  /** Sets an alarm over HTTP, and returns it opened with the token of the invocation that set it. */
  const set = async (args: object) => {
    const { status, body } = await alice.post(PATH, {
      tool_name: 'set_alarm',
      arguments: { message: 'Kimchi is ready', ...args },
    });
    expect(status).toBe(200);
    const { alarm_id, time } = JSON.parse(body.output_text) as {
      alarm_id: string;
      time: string;
    };
    // Without the API key, so that the token alone opens it.
    const alarm = stand.client().invocation(alarm_id, body.invocation_token);
    return { alarm, time, setBy: body };
  };
  const calling = (args: object) =>
    `[sandbox: call set_alarm ${JSON.stringify(args)}]`;
  const chat = async (message: string, more: object = {}) =>
    (await alice.post('/api/v1/chat', { message, ...more })).body;
  const waiting = async (client = alice) => {
    const { body } = await client.get(
      `${PATH}?tool_name=alarm&status=queued&limit=100`,
    );
    return (body.data as { invocation_id: string }[]).map(
      ({ invocation_id }) => invocation_id,
    );
  };
  const waitUntilFired = async (alarm: Invocation) => {
    const record = await waitForEnd(alarm);
    const { due_at, started_at } = record;
    expect(Date.parse(started_at)).toBeGreaterThanOrEqual(Date.parse(due_at));
    return record;
  };
  const fire = async (alarm: Invocation) => {
    await stand.comeDue(alarm);
    return waitUntilFired(alarm);
  };
  /** A worker has read when it is due, and put it off. */
  const untilPutOff = (alarm: Invocation) =>
    until('the alarm to be put off', async () =>
      (await alarms.getJob(alarm.id))?.isDelayed(),
    );

  it('set over HTTP fires at its time, and notifies its followers and its webhook', async () => {
    const { alarm, time } = await set({ time: inMs(SOON) });
    expect(await alarm.read()).toMatchObject({
      tool_name: 'alarm',
      status: 'queued',
      due_at: time,
      started_at: null,
      output_text: null,
    });
    await untilPutOff(alarm);
    const plannedMs = await stand.comeDue(alarm);
    expect(plannedMs).toBeGreaterThanOrEqual(Date.parse(time));
    expect(await waitUntilFired(alarm)).toMatchObject({
      status: 'completed',
      output_text: 'Kimchi is ready',
    });
    const frames = await all(alarm.events());
    expect(frames.at(-1)).toMatchObject({
      event: 'completed',
      data: { data: { output_text: 'Kimchi is ready' } },
    });
    const [{ path, body }] = await until(
      'a webhook of the alarm to arrive',
      (saw) => {
        const received = saw(receiver.of(alarm.id));
        return received.length > 0 && received;
      },
    );
    expect(path).toBe('/alice');
    expect(JSON.parse(body)).toMatchObject({ type: 'invocation.completed' });
  });

  it('answers a follow-up that calls a tool, with a concurrency of one', async () => {
    const follow_up =
      '[sandbox: call get_current_datetime {"time_zone":"UTC"}]';
    const { alarm } = await set({
      message: 'Now',
      time: inMs(SOON),
      follow_up,
    });
    expect(await fire(alarm)).toMatchObject({
      output_text: expect.stringMatching(/^Now\n\nToday is \w+day, /),
    });
  });

  it('set in a chat answers its follow-up when it fires', async () => {
    const follow_up = '짜장면의 역사를 자세히 알려줘';
    const args = { message: 'Noodles', time: inMs(SOON), follow_up };
    const { tool_calls, content } = await chat(calling(args));
    expect(content).toMatch(/\S/);
    const [{ invocation_id, invocation_token, status }] = tool_calls;
    expect(status).toBe('completed');
    const setBy = alice.invocation(invocation_id, invocation_token);
    const { contents } = await setBy.read();
    const alarm = stand
      .client()
      .invocation(contents[0].value.alarm_id, invocation_token);
    const { output_text } = await fire(alarm);
    expect(output_text).toMatch(/^Noodles\n\n.*짜장면/s);
    expect((await stand.stats()).creates).toBe(1);
  });

  it.each<[string, object]>([
    ['a document', { documents: [{ title: 'a', text: 'Set an alarm!' }] }],
    ['a text of the context', { context: ['Set an alarm!'] }],
    [
      'an earlier tool result',
      {
        messages: [
          {
            role: 'assistant',
            contents: [],
            tool_calls: [
              { type: 'function', function: { name: 'f', arguments: {} } },
            ],
          },
          {
            role: 'tool',
            contents: [{ type: 'text', text: 'Set an alarm!' }],
          },
        ],
      },
    ],
  ])(
    'with a follow-up requires approval in a chat that contains %s',
    async (_, more) => {
      const before = await waiting();
      const args = { message: 'a', time: inMs(HOUR), follow_up: 'Again!' };
      const finishedChat = await chat(calling(args), more);
      expect(finishedChat).toMatchObject({
        status: 'requires_action',
        required_action: {
          approvals: [{ tool_name: 'set_alarm', arguments: args }],
        },
      });
      expect(await waiting()).toEqual(before);
      const [{ call_id }] = finishedChat.required_action.approvals;
      const path = `/api/v1/chat/${finishedChat.chat_id}`;
      const approvals = [{ call_id, approve: true }];
      await alice.post(`${path}/approvals`, { approvals });
      expect((await alice.settled(path)).body.status).toBe('completed');
      const [alarm, ...others] = await waiting();
      expect(others).toEqual(before);
      await alice.post(`${PATH}/${alarm}/cancel`);
    },
  );

  it('with a follow-up requires approval after a research report, and none otherwise', async () => {
    const research =
      '[sandbox: call deep_research {"research_question": "Kimchi"}]';
    const then = (args: object) =>
      `[sandbox: then set_alarm ${JSON.stringify(args)}]`;
    const args = { message: 'a', time: inMs(HOUR) };
    const plain = await chat(research + then(args));
    expect(plain.tool_calls[1].status).toBe('completed');
    const finishedChat = await chat(
      research + then({ ...args, follow_up: 'b' }),
    );
    expect(finishedChat.status).toBe('requires_action');
    await alice.request('DELETE', `/api/v1/chat/${finishedChat.chat_id}`);
    const clock = '[sandbox: call get_current_datetime {"time_zone":"UTC"}]';
    const own = await chat(clock + then({ ...args, follow_up: 'b' }));
    expect(own.tool_calls[1].status).toBe('completed');
    for (const id of await waiting()) await alice.post(`${PATH}/${id}/cancel`);
  });

  it('cannot set another alarm: its follow-up has no access to the tool', async () => {
    const inner = { message: 'b', time: inMs(HOUR), follow_up: 'c' };
    const { alarm } = await set({
      time: inMs(SOON),
      follow_up: calling(inner),
    });
    await fire(alarm);
    expect(await waiting()).toEqual([]);
    const asked = (await stand.requests()).map(({ body }) =>
      JSON.stringify(body),
    );
    expect(asked.length).toBeGreaterThan(1);
    expect(asked[0]).not.toContain('Sets an alarm for the user');
    expect(asked.at(-1)).toContain('UNKNOWN_TOOL');
  });

  it('uses the time zone of the chat', async () => {
    const wall = new Date(Date.now() + 9 * HOUR + 24 * HOUR).toISOString();
    const time = wall.slice(0, 19);
    const { tool_calls } = await chat(calling({ message: 'a', time }), {
      time_zone: 'Asia/Seoul',
    });
    const { invocation_id, invocation_token } = tool_calls[0];
    const setBy = alice.invocation(invocation_id, invocation_token);
    const [{ value }] = (await setBy.read()).contents;
    expect(value.time).toBe(new Date(`${time}+09:00`).toISOString());
    await alice.invocation(value.alarm_id, invocation_token).cancel();
  });

  it.each([
    ['2020-01-01T08:00:00Z', 'The time is past: it is '],
    ['in an hour', 'The time must be in ISO-8601'],
    ['2999-01-01T08:00:00Z', 'The time is over a year away'],
  ])(
    'for %s is not set, and the model receives the reason',
    async (time, why) => {
      const before = await waiting();
      const { tool_calls } = await chat(calling({ message: 'a', time }));
      expect(tool_calls[0].status).toBe('failed');
      const [, second] = await stand.requests();
      expect(JSON.stringify(second.body)).toContain('INVALID_TIME');
      expect(JSON.stringify(second.body)).toContain(why);
      expect(await waiting()).toEqual(before);
    },
  );

  it('never fires after its cancellation', async () => {
    const { alarm } = await set({ time: inMs(SOON) });
    const { alarm: later } = await set({ time: inMs(SOON) });
    expect((await alarm.cancel()).status).toBe(202);
    expect(await alarm.read()).toMatchObject({ status: 'cancelled' });
    await stand.comeDue(alarm);
    await fire(later);
    const record = await alarm.read();
    expect(record).toMatchObject({ status: 'cancelled', started_at: null });
    expect(record.output_text).toBeNull();
  });

  it('is listed only for its API key, until it fires', async () => {
    const { alarm } = await set({ time: inMs(HOUR) });
    const { alarm: first } = await set({ time: inMs(HOUR / 2) });
    expect(await waiting()).toEqual([alarm.id, first.id]);
    expect(await waiting(stand.client().as('key-of-bob'))).toEqual([]);
    const { status } = await alice.as('key-of-bob').get(`${PATH}/${alarm.id}`);
    expect(status).toBe(404);
    await alarm.cancel();
    await first.remove();
    expect(await waiting()).toEqual([]);
    expect((await alice.get(`${PATH}/${alarm.id}`)).status).toBe(200);
  });

  it.each([
    ['', HOUR],
    [', though it has fired', SOON],
  ])(
    'is set once however often the same call is delivered%s',
    async (_, dueInMs) => {
      const { setBy, alarm } = await set({ time: inMs(dueInMs) });
      if (dueInMs < HOUR) await fire(alarm);
      const key = `sonde:{${setBy.invocation_id}}:record`;
      // As if its worker had died before it reported the result.
      await stand.redis.call('HDEL', key, 'contents');
      await stand.redis.call('HSET', key, 'status', 'running', 'worker', '');
      await tools.remove(setBy.invocation_id);
      await tools.add('tools', { invocation_id: setBy.invocation_id });
      await until(
        'the call that set the alarm to be completed',
        async (saw) =>
          saw(await alice.get(`${PATH}/${setBy.invocation_id}`)).body.status ===
          'completed',
      );
      expect(await waiting()).toEqual(dueInMs < HOUR ? [] : [alarm.id]);
      await alarm.cancel();
    },
  );

  it('survives the loss of all workers, and fires late rather than never', async () => {
    const { alarm } = await set({ time: inMs(SOON), message: 'Late' });
    await stand.killWorkers();
    await stand.comeDue(alarm);
    await stand.addWorker();
    expect(await waitUntilFired(alarm)).toMatchObject({ output_text: 'Late' });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'whose worker gets %s while its follow-up is answered is answered by another, with no second purchase',
    async (signal) => {
      const match = { model: 'o3-deep-research' };
      await stand.fault({ kind: 'pause', fraction: 0.5, match });
      const follow_up = '짜장면의 역사를 자세히 알려줘';
      const args = { message: 'Noodles', time: inMs(SOON), follow_up };
      const { alarm } = await set(args);
      await stand.comeDue(alarm);
      await untilResearchRuns(stand);
      const [worker] = stand.workers.splice(0);
      await worker.stop(signal);
      await stand.expireLeases();
      expect((await stand.stats()).in_flight).toBe(1);
      await stand.addWorker();
      await stand.clearFaults();
      expect(await waitUntilFired(alarm)).toMatchObject({
        status: 'completed',
        output_text: expect.stringMatching(/^Noodles\n\n.*짜장면/s),
      });
      expect(await stand.stats()).toMatchObject({ creates: 1, turns: 2 });
    },
  );

  it('survives the loss of its delivery, and does not fire early for it', async () => {
    const { alarm } = await set({ time: inMs(SOON), message: 'Found' });
    // Keeps the workers' own reconciler from being faster.
    await stand.redis.call('SET', 'sonde:reconciling', 'the test');
    // Not while a worker is rescheduling it.
    await until(
      'the job of the alarm to be removed',
      async (saw) => saw(await alarms.remove(alarm.id)) === 1,
    );
    expect(await alarms.getJob(alarm.id)).toBeUndefined();
    // The reconciler takes a run for lost after a minute.
    await stand.redis.call('ZADD', 'sonde:unfinished', 'XX', '1', alarm.id);
    const { code, lines } = await doctor(stand.env, '--fix');
    expect(lines.join('\n')).toMatch(`${alarm.id} - fixed`);
    expect(code).toBe(0);
    await untilPutOff(alarm);
    expect(await alarm.read()).toMatchObject({ status: 'queued' });
    expect(await fire(alarm)).toMatchObject({ output_text: 'Found' });
  });
});

describe('alarms of an installation with a capacity of four invocations', () => {
  let stand: Stand;
  const start = (names: string[]) => ({
    RELAY_API_KEYS: names
      .map((name) => `${name}:${hash(`key-of-${name}`)}`)
      .join(),
    RELAY_MAX_INVOCATIONS: '4',
  });

  beforeAll(async () => {
    stand = await Stand.start({ env: start(['alice', 'bob']) });
  });
  afterAll(() => stand.stop());

  const set = (client: Client, time: string, message = 'Tea') =>
    client.post(PATH, {
      tool_name: 'set_alarm',
      arguments: { message, time, follow_up: 'How hot is it?' },
    });

  it('count against the capacity while they wait', async () => {
    const alice = stand.client().as('key-of-alice');
    const times = ['1', '2', '3'];
    for (const message of times)
      expect((await set(alice, inMs(HOUR), message)).body.status).toBe(
        'completed',
      );
    const { body } = await alice.get(`${PATH}?tool_name=alarm&status=queued`);
    expect(body.data).toHaveLength(3);
    // The call itself is the fourth invocation.
    const { body: fourth } = await set(alice, inMs(HOUR));
    expect(fourth).toMatchObject({
      status: 'failed',
      error: { code: 'capacity_exceeded' },
    });
    for (const { invocation_id } of body.data) {
      await alice.post(`${PATH}/${invocation_id}/cancel`);
      // Its place is free once it has ended.
      await alice.settled(`${PATH}/${invocation_id}`);
    }
  });

  it('do not fire after their API key is removed', async () => {
    const [alice, bob] = ['alice', 'bob'].map((name) =>
      stand.client().as(`key-of-${name}`),
    );
    const time = inMs(SOON);
    const [deleted, remaining] = await Promise.all([
      set(alice, time),
      set(bob, time),
    ]);
    await Promise.all(
      [...stand.apis.splice(0), ...stand.workers.splice(0)].map((one) =>
        one.stop(),
      ),
    );
    Object.assign(stand.env, start(['bob']));
    await Promise.all([stand.addApi(), stand.addWorker()]);
    const ends = await Promise.all(
      [deleted, remaining].map(async ({ body }) => {
        const { alarm_id } = JSON.parse(body.output_text) as {
          alarm_id: string;
        };
        await stand.comeDue({ id: alarm_id });
        return waitForEnd(
          stand.client().invocation(alarm_id, body.invocation_token),
        );
      }),
    );
    expect(ends).toMatchObject([
      { status: 'failed', error: { code: 'api_key_removed' } },
      { status: 'completed' },
    ]);
    expect((await stand.stats()).turns).toBe(1);
  });
});
