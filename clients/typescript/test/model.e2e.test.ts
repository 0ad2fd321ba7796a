import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Invocation } from '../dist/index.js';
import { QUESTION, Service, STAY } from './support/service.ts';

describe('the client of the model endpoint, against the service:', () => {
  const service = new Service();

  test('the model answers without a tool', async () => {
    const reply = await service.model.createResponse('Hello!');
    assert.equal(reply.status, 'completed');
    assert.match(reply.output_text, /Hello/);
    const searched = await service.model.createResponse(QUESTION, {
      webSearch: true,
    });
    assert.match(searched.output_text, /짜장면/);
    const { content } = await service.model.createChatCompletion('Hello!');
    assert.match(content!, /Hello/);
  });

  test('a background response completes or is cancelled', async () => {
    const { id } = await service.model.createResponse('Hello!', {
      background: true,
    });
    const ended = await service.model.waitForResponse(id);
    assert.equal(ended.status, 'completed');
    assert.equal(
      (await service.model.getResponse(id)).output_text,
      ended.output_text,
    );
    await service.fault(STAY);
    const other = await service.model.createResponse('Hello!', {
      background: true,
    });
    assert.equal(
      (await service.model.cancelResponse(other.id)).status,
      'cancelled',
    );
  });

  test('the model calls the tool, and neither endpoint receives the key of the other', async () => {
    let submitted: Invocation | undefined;
    const result = await service.model.createResponseWithToolCalling(QUESTION, {
      sonde: service.sonde,
      onInvocation: (record) => (submitted = record),
    });
    const record = await service.sonde.get(submitted!);
    assert.equal(result.tool_called, true);
    assert.equal(result.research_summary, record.output_text);
    assert.equal(result.invocation_id, record.invocation_id);
    assert.equal(result.upstream_response_id, record.upstream_response_id);
    assert.notEqual(result.response_id, result.previous_response_id);
    assert.match(result.final_text, /짜장면/);
    assert.ok(
      service.relay.seen.every(({ text }) => !text.includes('sk-model')),
    );
    assert.ok(
      service.endpoint.seen.every(({ text }) => !text.includes('sk-stand')),
    );
    assert.ok(
      service.relay.seen.some(({ text }) => text.includes('Bearer sk-stand')),
    );
    assert.ok(
      service.endpoint.seen.some(({ text }) =>
        text.includes('Bearer sk-model'),
      ),
    );
  });

  test('the model needs no tool', async () => {
    const { response_id, final_text, ...rest } =
      await service.model.createResponseWithToolCalling('Hello!', {
        sonde: service.sonde,
      });
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
      error: null,
    });
  });

  test('the report is returned even if the last turn of the model fails', async () => {
    const result = await service.model.createResponseWithToolCalling(QUESTION, {
      sonde: service.sonde,
      onInvocation: () =>
        void service.fault({
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
