import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ModelClient,
  SondeApiError,
  SondeClient,
  SondeConnectionError,
  SondeUsageError,
  VERSION,
} from '../dist/index.js';
import { serve } from './support/serve.ts';

test('an error contains neither the key nor the prompt nor the host', async (t) => {
  const apiKey = 'sk-very-secret';
  const baseUrl = await serve(t, (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    const message = `Incorrect API key provided: ${apiKey}.`;
    response.end(JSON.stringify({ error: { message, type: 'auth' } }));
  });
  const unreachable = 'http://127.0.0.1:2';
  const fails = async (url: string) => {
    const model = new ModelClient({ baseUrl: url, apiKey });
    const error: unknown = await model
      .createResponse('what nobody is to know')
      .catch((thrown: unknown) => thrown);
    assert.doesNotMatch(inspect(error), /sk-very|nobody|127\.0\.0\.1/);
    return error;
  };
  assert.ok((await fails(baseUrl)) instanceof SondeApiError);
  assert.ok((await fails(unreachable)) instanceof SondeConnectionError);
});

test('a request names the client in its user agent', async (t) => {
  let agent: string | undefined;
  const baseUrl = await serve(t, (request, response) => {
    agent = request.headers['user-agent'];
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new SondeClient({ baseUrl }).tools();
  assert.equal(agent, `sonde-client-typescript/${VERSION}`);
});

test('an aborted call rejects with the reason of its signal and closes the connection', async (t) => {
  const reason = new Error('enough');
  const leaving = new AbortController();
  let closed: (() => void) | undefined;
  const left = new Promise<void>((resolve) => (closed = resolve));
  const baseUrl = await serve(t, (_, response) => {
    response.on('close', () => closed!());
    leaving.abort(reason);
  });
  const sonde = new SondeClient({ baseUrl });
  const { signal } = leaving;
  await assert.rejects(sonde.chat({ message: 'a' }, { signal }), reason);
  await left;
  await assert.rejects(sonde.tools({ signal }), reason);
});

test('only timeoutMs limits a request of the built-in fetch', async (t) => {
  const baseUrl = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  void globalThis.Headers;
  const slots = globalThis as unknown as Record<symbol, { dispatch: Function }>;
  const slot = Symbol.for('undici.globalDispatcher.1');
  const own = slots[slot]!;
  let limits: unknown;
  slots[slot] = {
    dispatch(options: Record<string, unknown>, handler: unknown) {
      const { headersTimeout, bodyTimeout } = options;
      limits = { headersTimeout, bodyTimeout };
      return own.dispatch(options, handler);
    },
  };
  t.after(() => (slots[slot] = own));
  await new SondeClient({ baseUrl }).tools();
  assert.deepEqual(limits, { headersTimeout: 0, bodyTimeout: 0 });
});

test('an error without problem details is described by its status alone', async (t) => {
  const baseUrl = await serve(t, (_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'of_a_proxy', detail: 'Go away.' }));
  });
  await assert.rejects(new SondeClient({ baseUrl }).tools(), {
    status: 403,
    code: 'http_error',
    message: 'the server responded with HTTP 403',
  });
});

test('aborting the last turn of tool calling rejects with the reason of the signal', async (t) => {
  const reason = new Error('enough');
  const leaving = new AbortController();
  let turns = 0;
  const baseUrl = await serve(t, (_, response) => {
    if ((turns += 1) > 1) return leaving.abort(reason);
    const call = { type: 'function_call', name: 'deep_research', call_id: 'c' };
    const output = [{ ...call, arguments: 'none' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'resp_1', output }));
  });
  const model = new ModelClient({ baseUrl });
  const { signal } = leaving;
  const asked = model.createResponseWithToolCalling('a', {
    sonde: new SondeClient({ baseUrl }),
    signal,
  });
  await assert.rejects(asked, reason);
});

test('a reply without a body is a protocol error', async (t) => {
  const baseUrl = await serve(t, (_, response) => {
    response.writeHead(204).end();
  });
  const sonde = new SondeClient({ baseUrl });
  const model = new ModelClient({ baseUrl });
  const protocol = { name: 'SondeProtocolError', status: 204 };
  await assert.rejects(sonde.get('inv_1'), protocol);
  await assert.rejects(sonde.submit('t', {}), protocol);
  await assert.rejects(sonde.tools(), protocol);
  await assert.rejects(model.createResponse('a'), protocol);
  await sonde.delete('inv_1');
});

test('a body that cannot be serialized as JSON is a usage error', async (t) => {
  let asked = 0;
  const baseUrl = await serve(t, (_, response) => {
    asked += 1;
    response.end();
  });
  const sonde = new SondeClient({ baseUrl });
  const usage = { name: 'SondeUsageError' };
  const round: Record<string, unknown> = {};
  round.itself = round;
  await assert.rejects(sonde.submit('t', round), usage);
  await assert.rejects(sonde.submit('t', { n: 1n }), usage);
  assert.equal(asked, 0);
});

test('printing a client does not reveal its key', () => {
  const options = { baseUrl: 'http://127.0.0.1:1', apiKey: 'sk-very-secret' };
  for (const client of [new SondeClient(options), new ModelClient(options)]) {
    assert.doesNotMatch(inspect(client, { depth: null }), /sk-very/);
    assert.doesNotMatch(JSON.stringify(client), /sk-very/);
  }
});

test('null means no key and no event id, and a time-out of 0 is a usage error', async (t) => {
  const seen: unknown[] = [];
  const baseUrl = await serve(t, ({ headers }, response) => {
    seen.push(headers['idempotency-key'], headers['last-event-id']);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  const sonde = new SondeClient({ baseUrl });
  const none = null as unknown as undefined;
  const chat = sonde.chat({ message: 'a' }, { idempotencyKey: none });
  await assert.rejects(chat, SondeApiError);
  const events = sonde.events('inv_1', { lastEventId: none });
  await assert.rejects(events.next(), SondeApiError);
  assert.deepEqual(seen, [undefined, undefined, undefined, undefined]);
  for (const timeoutMs of [0, -1, NaN])
    await assert.rejects(sonde.tools({ timeoutMs }), SondeUsageError);
});
