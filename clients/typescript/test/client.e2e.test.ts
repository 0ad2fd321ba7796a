import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  SondeApiError,
  SondeClient,
  type ChatEvent,
  type InvocationEvent,
} from '../dist/index.js';
import { QUESTION, Service, STAY } from './support/service.ts';
import { post } from './support/stand.ts';

describe('the client of Sonde, against the service:', () => {
  const service = new Service();

  test('the enabled tools are listed', async () => {
    const { tools } = await service.sonde.tools();
    assert.ok(tools.some(({ name }) => name === 'deep_research'));
  });

  test('an invocation is awaited, and its record is read, listed and deleted', async () => {
    const record = await service.sonde.invoke('deep_research', {
      research_question: QUESTION,
    });
    assert.equal(record.status, 'completed');
    assert.match(record.output_text!, /짜장면/);
    const { invocation_id: id, invocation_token: token } = record;
    assert.deepEqual(await service.sonde.get(record), record);
    const anonymous = new SondeClient({ baseUrl: service.relay.url });
    await assert.rejects(anonymous.get(id), SondeApiError);
    assert.equal(
      (await service.sonde.get(id, { token: token! })).invocation_id,
      id,
    );
    const { data } = await service.sonde.list({
      status: 'completed',
      limit: 1,
    });
    assert.equal(data[0]!.invocation_id, id);
    await service.sonde.delete(record);
    await assert.rejects(service.sonde.get(record), { status: 404 });
  });

  test('a plan is reviewed before anything is searched', async () => {
    const submitted = await service.sonde.submit('deep_research', {
      research_question: QUESTION,
      plan: 'review',
    });
    const asking = await service.sonde.wait(submitted);
    assert.equal(asking.status, 'requires_action');
    assert.deepEqual(asking.required_action!.plan, asking.plan);
    assert.equal(asking.progress!.searches, 0);
    const plan = { directions: asking.plan!.directions.slice(0, 1) };
    const decision = { approve: true, plan, reason: 'One is enough' };
    await service.sonde.decidePlan(asking, decision);
    const record = await service.sonde.wait(asking);
    assert.deepEqual(
      [record.status, record.plan!.review, record.plan!.reason],
      ['completed', 'edited', 'One is enough'],
    );
    await service.sonde.decidePlan(asking, decision);
    await assert.rejects(service.sonde.decidePlan(asking, { approve: false }), {
      status: 409,
      code: 'decision_conflict',
    });
  });

  test('submitting with a used key returns the same invocation', async () => {
    const options = { idempotencyKey: crypto.randomUUID() };
    const args = { research_question: QUESTION };
    const first = await service.sonde.submit('deep_research', args, options);
    const second = await service.sonde.submit('deep_research', args, options);
    assert.equal(second.invocation_id, first.invocation_id);
    assert.equal((await service.sonde.wait(first)).status, 'completed');
  });

  test('a validation error names the invalid fields', async () => {
    const refused = service.sonde.submit('deep_research', {
      research_question: '',
    });
    await assert.rejects(refused, (error: SondeApiError) => {
      const { status, code, errors } = error;
      assert.deepEqual([status, code], [422, 'validation_failed']);
      assert.match(errors[0]!.path, /research_question/);
      return error.request_id !== null;
    });
  });

  test('a cancelled invocation has the status cancelled', async () => {
    await service.fault(STAY);
    const args = { research_question: QUESTION };
    const record = await service.sonde.submit('deep_research', args);
    await service.sonde.cancel(record);
    const ended = await service.sonde.wait(record);
    assert.equal(ended.status, 'cancelled');
    assert.equal(ended.invocation_token, record.invocation_token);
    const last = (await all(service.sonde.events(record))).at(-1)!;
    assert.equal(last.type, 'error');
  });

  test('events continue across a restart of the API, without loss or duplicates', async () => {
    // The remaining text arrives after the API has restarted.
    await service.fault({ kind: 'silence', after_events: 60 });
    const args = { research_question: QUESTION };
    const record = await service.sonde.submit('deep_research', args, {
      stream: true,
    });
    const events: InvocationEvent[] = [];
    const connections = () =>
      service.relay.seen.filter(({ request }) =>
        request.url!.endsWith(`${record.invocation_id}/events`),
      );
    for await (const event of service.sonde.events(record)) {
      events.push(event);
      if (event.type !== 'output_text' || connections().length > 1) continue;
      await post(`${service.stand.control}/restart`);
      await fetch(`${service.stand.model}/sandbox/faults`, {
        method: 'DELETE',
      });
    }
    const ids = events.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const text = events.map((event) =>
      event.type === 'output_text' ? event.data.text : '',
    );
    const { output_text } = await service.sonde.get(record);
    assert.equal(text.join(''), output_text);
    assert.equal(events.at(-1)!.type, 'completed');
    assert.ok(connections().length > 1);
    assert.ok(connections().at(-1)!.request.headers['last-event-id']);
  });

  test('events resume after the last event id', async () => {
    const record = await service.sonde.invoke('deep_research', {
      research_question: QUESTION,
    });
    const events = await all(service.sonde.events(record));
    const lastEventId = events[2]!.id;
    const rest = await all(service.sonde.events(record, { lastEventId }));
    assert.deepEqual(rest, events.slice(3));
  });

  test('an aborted call rejects with the reason of its signal', async () => {
    await service.fault(STAY);
    const args = { research_question: QUESTION };
    const record = await service.sonde.submit('deep_research', args);
    const leaving = new AbortController();
    const reason = new Error('enough');
    const { signal } = leaving;
    const waiting = service.sonde.wait(record, { signal });
    const following = all(service.sonde.events(record, { signal }));
    leaving.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(following, reason);
    await service.sonde.delete(record);
  });

  test('a wait that times out states that work may continue', async () => {
    await service.fault(STAY);
    const args = { research_question: QUESTION };
    const record = await service.sonde.submit('deep_research', args);
    await assert.rejects(service.sonde.wait(record, { timeoutMs: 50 }), {
      name: 'SondeTimeoutError',
      message: /may continue/,
    });
    await service.sonde.delete(record);
  });

  test('a chat calls the tool itself', async () => {
    const reply = await service.sonde.chat({ message: QUESTION });
    assert.equal(reply.tool_name, 'deep_research');
    assert.match(reply.content!, /짜장면/);
    const plain = await service.sonde.chat({ message: 'Hello!' });
    assert.equal(plain.tool_called, false);
  });

  test('a streamed chat can be left early', async () => {
    const events = await all(service.sonde.chatStream({ message: QUESTION }));
    assert.ok(events.some(({ type }) => type === 'tool_call'));
    assert.equal(events.at(-1)!.type, 'completed');
    for await (const event of service.sonde.chatStream({ message: 'Hello!' })) {
      assert.equal(event.type, 'delta');
      break;
    }
  });

  test('a stored chat is awaited, followed and deleted', async () => {
    const started = await service.sonde.chat({
      message: QUESTION,
      background: true,
    });
    const reply = await service.sonde.chats.wait(started);
    assert.equal(reply.status, 'completed');
    assert.deepEqual(await service.sonde.chats.get(started), reply);
    const events: ChatEvent[] = await all(service.sonde.chats.events(started));
    assert.equal(events.at(-1)!.type, 'completed');
    await service.sonde.chats.delete(started);
    await assert.rejects(service.sonde.chats.get(started), { status: 404 });
  });

  test('a chat waits for an approval', async () => {
    const asking = await service.sonde.chat({ message: 'Please erase_note' });
    assert.equal(asking.status, 'requires_action');
    const { call_id } = asking.required_action!.approvals[0]!;
    await service.sonde.chats.approve(asking, [{ call_id, approve: true }]);
    const reply = await service.sonde.chats.wait(asking);
    assert.deepEqual(
      [reply.status, reply.tool_name],
      ['completed', 'erase_note'],
    );
  });

  test('a chat waits for an answer, and is cancelled', async () => {
    const message = '이거 조사해줘';
    const ask = () => service.sonde.chat({ message, clarification: 'auto' });
    const asking = await ask();
    const { call_id } = asking.required_action!.questions[0]!;
    await service.sonde.chats.answer(asking, [
      { call_id, answer: '짜장면의 역사' },
    ]);
    assert.equal((await service.sonde.chats.wait(asking)).status, 'completed');
    const other = await ask();
    await service.sonde.chats.cancel(other);
    assert.equal((await service.sonde.chats.wait(other)).status, 'cancelled');
  });
});

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}
