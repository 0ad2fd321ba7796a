import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  ModelClient,
  SondeApiError,
  SondeClient,
  type ChatEvent,
  type Invocation,
  type InvocationEvent,
} from '../dist/index.js';
import { startProxy, type Proxy } from './support/proxy.ts';
import { post, startStand, type Stand } from './support/stand.ts';

const QUESTION = '짜장면의 역사를 자세히 알려줘';
const STAY = { kind: 'stay', status: 'in_progress', count: 0 };

describe('against the service', { timeout: 300_000 }, () => {
  let stand: Stand;
  let relay: Proxy;
  let endpoint: Proxy;
  let sonde: SondeClient;
  let model: ModelClient;

  before(async () => {
    stand = await startStand({ STAND_API_KEYS: 'true' });
    relay = await startProxy(stand.relay);
    endpoint = await startProxy(stand.model);
    sonde = new SondeClient({ baseUrl: relay.url, apiKey: 'sk-stand' });
    model = new ModelClient({ baseUrl: endpoint.url, apiKey: 'sk-model' });
  });
  after(async () => {
    await relay.close();
    await endpoint.close();
    await stand.close();
  });
  afterEach(() => post(`${stand.model}/sandbox/reset`));

  const fault = (kind: object) => post(`${stand.model}/sandbox/faults`, kind);

  test('the tools that are on are told', async () => {
    const { tools } = await sonde.tools();
    assert.ok(tools.some(({ name }) => name === 'deep_research'));
  });

  test('a research is awaited, and its record read, listed and deleted', async () => {
    const record = await sonde.invoke('deep_research', {
      research_question: QUESTION,
    });
    assert.equal(record.status, 'completed');
    assert.match(record.output_text!, /짜장면/);
    const { invocation_id: id, invocation_token: token } = record;
    assert.deepEqual(await sonde.get(record), record);
    const anonymous = new SondeClient({ baseUrl: relay.url });
    await assert.rejects(anonymous.get(id), SondeApiError);
    assert.equal((await sonde.get(id, { token: token! })).invocation_id, id);
    const { data } = await sonde.list({ status: 'completed', limit: 1 });
    assert.equal(data[0]!.invocation_id, id);
    await sonde.delete(record);
    await assert.rejects(sonde.get(record), { status: 404 });
  });

  test('a submission under a key that was used is the same invocation', async () => {
    const options = { idempotencyKey: crypto.randomUUID() };
    const args = { research_question: QUESTION };
    const first = await sonde.submit('deep_research', args, options);
    const second = await sonde.submit('deep_research', args, options);
    assert.equal(second.invocation_id, first.invocation_id);
    assert.equal((await sonde.wait(first)).status, 'completed');
  });

  test('what is refused names its fields', async () => {
    const refused = sonde.submit('deep_research', { research_question: '' });
    await assert.rejects(refused, (error: SondeApiError) => {
      const { status, code, errors } = error;
      assert.deepEqual([status, code], [422, 'validation_failed']);
      assert.match(errors[0]!.path, /research_question/);
      return error.request_id !== null;
    });
  });

  test('a research is cancelled, and says so', async () => {
    await fault(STAY);
    const args = { research_question: QUESTION };
    const record = await sonde.submit('deep_research', args);
    await sonde.cancel(record);
    const ended = await sonde.wait(record);
    assert.equal(ended.status, 'cancelled');
    assert.equal(ended.invocation_token, record.invocation_token);
    const last = (await all(sonde.events(record))).at(-1)!;
    assert.equal(last.type, 'error');
  });

  test('events go on through a restart of the API, none lost and none twice', async () => {
    // The rest of the text comes once the API is there again.
    await fault({ kind: 'silence', after_events: 60 });
    const args = { research_question: QUESTION };
    const record = await sonde.submit('deep_research', args, { stream: true });
    const events: InvocationEvent[] = [];
    const connections = () =>
      relay.seen.filter(({ request }) =>
        request.url!.endsWith(`${record.invocation_id}/events`),
      );
    for await (const event of sonde.events(record)) {
      events.push(event);
      if (event.type !== 'output_text' || connections().length > 1) continue;
      await post(`${stand.control}/restart`);
      await fetch(`${stand.model}/sandbox/faults`, { method: 'DELETE' });
    }
    const ids = events.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const text = events.map((event) =>
      event.type === 'output_text' ? event.data.text : '',
    );
    const { output_text } = await sonde.get(record);
    assert.equal(text.join(''), output_text);
    assert.equal(events.at(-1)!.type, 'completed');
    assert.ok(connections().length > 1);
    assert.ok(connections().at(-1)!.request.headers['last-event-id']);
  });

  test('events begin behind the one that was seen', async () => {
    const record = await sonde.invoke('deep_research', {
      research_question: QUESTION,
    });
    const events = await all(sonde.events(record));
    const lastEventId = events[2]!.id;
    const rest = await all(sonde.events(record, { lastEventId }));
    assert.deepEqual(rest, events.slice(3));
  });

  test('who leaves gets the reason for which it left', async () => {
    await fault(STAY);
    const args = { research_question: QUESTION };
    const record = await sonde.submit('deep_research', args);
    const leaving = new AbortController();
    const reason = new Error('enough');
    const { signal } = leaving;
    const waiting = sonde.wait(record, { signal });
    const following = all(sonde.events(record, { signal }));
    leaving.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(following, reason);
    await sonde.delete(record);
  });

  test('a wait that is over says that the work goes on', async () => {
    await fault(STAY);
    const args = { research_question: QUESTION };
    const record = await sonde.submit('deep_research', args);
    await assert.rejects(sonde.wait(record, { timeoutMs: 50 }), {
      name: 'SondeTimeoutError',
      message: /goes on/,
    });
    await sonde.delete(record);
  });

  test('a chat calls the tool itself', async () => {
    const reply = await sonde.chat({ message: QUESTION });
    assert.equal(reply.tool_name, 'deep_research');
    assert.match(reply.content!, /짜장면/);
    const plain = await sonde.chat({ message: 'Hello!' });
    assert.equal(plain.tool_called, false);
  });

  test('a chat is streamed, and left early', async () => {
    const events = await all(sonde.chatStream({ message: QUESTION }));
    assert.ok(events.some(({ type }) => type === 'tool_call'));
    assert.equal(events.at(-1)!.type, 'completed');
    for await (const event of sonde.chatStream({ message: 'Hello!' })) {
      assert.equal(event.type, 'delta');
      break;
    }
  });

  test('a chat on record is awaited, followed and deleted', async () => {
    const begun = await sonde.chat({ message: QUESTION, background: true });
    const reply = await sonde.chats.wait(begun);
    assert.equal(reply.status, 'completed');
    assert.deepEqual(await sonde.chats.get(begun), reply);
    const events: ChatEvent[] = await all(sonde.chats.events(begun));
    assert.equal(events.at(-1)!.type, 'completed');
    await sonde.chats.delete(begun);
    await assert.rejects(sonde.chats.get(begun), { status: 404 });
  });

  test('a chat waits for an approval', async () => {
    const asking = await sonde.chat({ message: 'Please erase_note' });
    assert.equal(asking.status, 'requires_action');
    const { call_id } = asking.required_action!.approvals[0]!;
    await sonde.chats.approve(asking, [{ call_id, approve: true }]);
    const reply = await sonde.chats.wait(asking);
    assert.deepEqual(
      [reply.status, reply.tool_name],
      ['completed', 'erase_note'],
    );
  });

  test('a chat waits for an answer, and is cancelled', async () => {
    const message = '이거 조사해줘';
    const ask = () => sonde.chat({ message, clarification: 'auto' });
    const asking = await ask();
    const { call_id } = asking.required_action!.questions[0]!;
    await sonde.chats.answer(asking, [{ call_id, answer: '짜장면의 역사' }]);
    assert.equal((await sonde.chats.wait(asking)).status, 'completed');
    const other = await ask();
    await sonde.chats.cancel(other);
    assert.equal((await sonde.chats.wait(other)).status, 'cancelled');
  });

  test('the model answers by itself', async () => {
    const reply = await model.createResponse('Hello!');
    assert.equal(reply.status, 'completed');
    assert.match(reply.output_text, /Hello/);
    const searched = await model.createResponse(QUESTION, { webSearch: true });
    assert.match(searched.output_text, /짜장면/);
    const { content } = await model.createChatCompletion('Hello!');
    assert.match(content!, /Hello/);
  });

  test('the model answers in the background, or is cancelled', async () => {
    const { id } = await model.createResponse('Hello!', { background: true });
    const ended = await model.waitForResponse(id);
    assert.equal(ended.status, 'completed');
    assert.equal((await model.getResponse(id)).output_text, ended.output_text);
    await fault(STAY);
    const other = await model.createResponse('Hello!', { background: true });
    assert.equal((await model.cancelResponse(other.id)).status, 'cancelled');
  });

  test('the model calls the tool, and neither side learns the key of the other', async () => {
    let told: Invocation | undefined;
    const result = await model.createResponseWithToolCalling(QUESTION, {
      sonde,
      onInvocation: (record) => (told = record),
    });
    const record = await sonde.get(told!);
    assert.equal(result.tool_called, true);
    assert.equal(result.research_summary, record.output_text);
    assert.equal(result.invocation_id, record.invocation_id);
    assert.equal(result.upstream_response_id, record.upstream_response_id);
    assert.notEqual(result.response_id, result.previous_response_id);
    assert.match(result.final_text, /짜장면/);
    assert.ok(relay.seen.every(({ text }) => !text.includes('sk-model')));
    assert.ok(endpoint.seen.every(({ text }) => !text.includes('sk-stand')));
    assert.ok(relay.seen.some(({ text }) => text.includes('Bearer sk-stand')));
    assert.ok(
      endpoint.seen.some(({ text }) => text.includes('Bearer sk-model')),
    );
  });

  test('the model needs no tool', async () => {
    const { response_id, final_text, ...rest } =
      await model.createResponseWithToolCalling('Hello!', { sonde });
    assert.match(response_id!, /^resp_/);
    assert.match(final_text, /Hello/);
    assert.deepEqual(rest, {
      tool_called: false,
      previous_response_id: null,
      tool_call_id: null,
      invocation_id: null,
      invocation_token: null,
      upstream_response_id: null,
      research_summary: null,
    });
  });

  test('a research is not lost with the last turn of the model', async () => {
    const result = await model.createResponseWithToolCalling(QUESTION, {
      sonde,
      onInvocation: () =>
        void fault({
          kind: 'status',
          status: 400,
          match: { body: 'function_call_output' },
        }),
    });
    assert.equal(result.response_id, null);
    assert.equal(result.final_text, result.research_summary);
    assert.match(result.final_text, /짜장면/);
  });
});

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}
