import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SondeClient, type ChatFunction } from '../dist/index.js';
import { serve } from './support/serve.ts';

const CALL = {
  type: 'function',
  id: 'call_1',
  function: { name: 'wait', arguments: { seconds: 1 } },
};
const MESSAGE = { role: 'assistant', contents: [], tool_calls: [CALL] };
const CALLING = {
  status: 'completed',
  message: MESSAGE,
  continuation: [MESSAGE],
  tool_calls: [],
};

test('a chat that is aborted while a function runs ends, and aborts the function', async (t) => {
  const baseUrl = await serve(t, (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(CALLING));
  });
  const caller = new AbortController();
  let given: unknown[] = [];
  const wait: ChatFunction = {
    name: 'wait',
    run(args, { signal }) {
      given = [args, signal];
      caller.abort(new Error('enough'));
      return new Promise(() => undefined);
    },
  };
  const sonde = new SondeClient({ baseUrl });
  await assert.rejects(
    sonde.chat({ message: 'Hi', functions: [wait] }, { signal: caller.signal }),
    /enough/,
  );
  assert.deepEqual(given[0], { seconds: 1 });
  assert.ok((given[1] as AbortSignal).aborted);
});

test('results that are no JSON, and errors of any form, are told to the model', async (t) => {
  const told: string[] = [];
  const results: unknown[] = [1n, () => 1, undefined, null];
  const baseUrl = await serve(t, (request, response) => {
    void (async () => {
      const chunks = await request.toArray();
      const { messages } = JSON.parse(chunks.join('')) as {
        messages?: { contents: { text: string }[] }[];
      };
      response.setHeader('content-type', 'application/json');
      if (messages) told.push(messages.at(-1)!.contents[0]!.text);
      response.end(JSON.stringify(CALLING));
    })();
  });
  const run = () => {
    if (results.length === 0) throw 'no error';
    return results.shift();
  };
  const sonde = new SondeClient({ baseUrl });
  await sonde.chat(
    { message: 'Hi', functions: [{ name: 'wait', run }] },
    { maxRounds: 5 },
  );
  const codes = told.map((text) => /"code":"(\w+)"/.exec(text)?.[1] ?? text);
  assert.deepEqual(codes, [
    'FUNCTION_FAILED',
    'FUNCTION_FAILED',
    'Done.',
    'null',
    'FUNCTION_FAILED',
    'LIMIT_REACHED',
  ]);
});
