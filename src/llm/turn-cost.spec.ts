import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { LearntModels } from './models/learnt-models';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../sandbox/testing/sandbox-under-test';
import { callToolsInParallel } from '../../test/support/chat/parallel-tool-calls';
import { priceTable } from '../../test/support/price-table';
import {
  type ScriptedReply,
  ScriptedUpstream,
} from '../../test/support/upstream/scripted-upstream';
import { loadConfig } from '../config/load-config';
import { type CountedCall, Spending } from './prices/spending';
import type { Facts } from '../platform/metrics/facts';
import { CompletionsEngine } from './completions/completions-engine';
import type { ModelRequest } from './turns/model.types';
import { ModelClient } from './model.client';
import { ModelProtocols } from './models/model-protocols';
import { ResponsesEngine } from './responses/responses-engine';
import { UpstreamClient } from './upstream/upstream.client';

const prices = priceTable({
  'priced*': { inputPerMillion: 10_000, outputPerMillion: 100_000 },
});
const USAGE = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const COUNTS = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

const text = (words: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: words, annotations: [] }],
});
const answer = (words: string, usage?: object) => ({
  id: 'resp',
  status: 'completed',
  output: [text(words)],
  usage,
});
const chunk = (
  delta: object,
  finish_reason: string | null,
  usage?: object,
) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...(usage && { usage }),
});
const NONE = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
};
const BROKEN_CALL = '{"tool_name": "f", "arguments": {"a": }}';

describe('what the turns of a model cost', () => {
  let script: ScriptedUpstream;
  let sandbox: SandboxUnderTest;
  const clients: UpstreamClient[] = [];

  beforeAll(async () => {
    script = await ScriptedUpstream.start();
    sandbox = await sandboxUnderTest();
  });
  afterEach(async () => {
    await sandbox.reset();
    for (const client of clients.splice(0))
      await client.onApplicationShutdown();
  });
  afterAll(async () => {
    await script.close();
    await sandbox.close();
  });

  const ask = async (
    url: string,
    more: Partial<ModelRequest> = {},
    env: Record<string, string> = {},
  ) => {
    const config = loadConfig({ LITELLM_BASE_URL: url, ...env });
    const upstream = new UpstreamClient(config);
    clients.push(upstream);
    const learnt = new LearntModels();
    const models = new ModelClient(
      new ResponsesEngine(upstream, config, new LearntModels()),
      new CompletionsEngine(upstream, config, new LearntModels()),
      learnt,
      config,
    );
    if (env.PROTOCOL === 'completions')
      new ModelProtocols(learnt, new Map()).useCompletions(more.model ?? 'm');
    const spending = new Spending(prices);
    let reported = 0;
    const onPaid = (fact: unknown): void =>
      void (reported += (fact as Facts['chat_paid']).usd);
    subscribe('sonde:chat_paid', onPaid);
    const reply = await models.run({
      model: 'm',
      input: [{ role: 'user', contents: [{ type: 'text', text: 'hi' }] }],
      tools: [{ name: 'f', description: 'Does.', parameters: NONE }],
      callTools: callToolsInParallel(async () => 'out'),
      spending,
      signal: new AbortController().signal,
      ...more,
    });
    unsubscribe('sonde:chat_paid', onPaid);
    const { total } = spending;
    if (total?.usd !== null) expect(reported).toBeCloseTo(total?.usd ?? 0, 9);
    return { total, reply };
  };
  const play = (replies: ScriptedReply[], ...rest: Rest) => {
    script.play(...replies);
    return ask(script.url, ...rest);
  };
  type Rest = [more?: Partial<ModelRequest>, env?: Record<string, string>];
  const STREAMED = { onDelta: () => undefined };
  const COMPLETIONS = { PROTOCOL: 'completions' };

  it.each([
    ['-0.5', -0.5],
    ['NaN', null],
    ['1e300', 1e300],
    ['None', '0.25'],
    ['', undefined],
    ['much', { total_cost: -1 }],
  ])(
    'is at the prices for a header of %j and a `usage.cost` of %j',
    async (header, usage) => {
      const cost = {
        kind: 'cost',
        count: 0,
        header,
        ...(usage !== undefined && { usage }),
      };
      await sandbox.fault(cost);
      for (const more of [{}, STREAMED]) {
        const { total, reply } = await ask(sandbox.url, {
          model: 'priced-gpt',
          ...more,
        });
        const { input_tokens, output_tokens } = reply.usage!;
        const usd = (input_tokens + 10 * output_tokens) / 100;
        expect(total).toEqual({ usd, source: 'prices' });
      }
    },
  );

  it.each([
    ['a header', { header: '0.25' }, 0.25, 0.25],
    ['a header of nothing', { header: '0' }, 0, null],
    ['the usage', { usage: 0.25 }, 0.25, 0.25],
    ['parts of the usage', { usage: { total_cost: 0.25 } }, 0.25, 0.25],
    ['neither', {}, null, null],
  ])(
    'is what the endpoint reports in %s; the header of a stream counts unless it is zero',
    async (_, reported, plain, streamed) => {
      for (const env of [{}, COMPLETIONS]) {
        await sandbox.fault({ kind: 'cost', ...reported, count: 0 });
        const first = await ask(sandbox.url, { model: 'm' }, env);
        const second = await ask(sandbox.url, { model: 'm', ...STREAMED }, env);
        expect([first.total!.usd, second.total!.usd]).toEqual([
          plain,
          streamed,
        ]);
        await sandbox.reset();
      }
    },
  );

  it('is at the price of the model that the endpoint names if the requested one has none', async () => {
    const reply = { ...answer('Hi', USAGE), model: 'priced-2026' };
    expect((await play([reply])).total).toEqual({
      usd: 0.21,
      source: 'prices',
    });
    const frames = [
      { model: 'priced-2026', ...chunk({ content: 'Hi' }, null) },
      chunk({}, 'stop', COUNTS),
    ];
    const { total } = await play([frames], STREAMED, COMPLETIONS);
    expect(total).toEqual({ usd: 0.21, source: 'prices' });
  });

  it('counts a broken stream that has reported its usage, and the attempt after it', async () => {
    const paid = { ...COUNTS, cost: 0.1 };
    const broken = [chunk({}, null, paid)];
    const whole = [chunk({ content: 'Hi' }, 'stop', paid)];
    const { total, reply } = await play([broken, whole], STREAMED, COMPLETIONS);
    expect(reply.text).toBe('Hi');
    expect(total).toEqual({ usd: 0.2, source: 'gateway' });
  });

  it.each([
    ['breaks off', () => undefined],
    ['is left by its caller', (caller: AbortController) => caller.abort()],
  ])(
    'counts what was seen of a streamed answer that %s before its usage is reported',
    async (_, leave) => {
      const words = 'The tower is 330 metres high. '.repeat(20);
      const delta = { type: 'response.output_text.delta', delta: words };
      for (const [frame, env] of [
        [{ ...delta, output_index: 0 }, {}],
        [chunk({ content: words }, null), COMPLETIONS],
      ] as const) {
        const caller = new AbortController();
        const onDelta = () => leave(caller);
        const counted = jest.fn<void, [CountedCall]>();
        const more = {
          model: 'priced-gpt',
          onDelta,
          signal: caller.signal,
          spending: new Spending(prices, undefined, counted),
        };
        await play([[frame]], more, env).catch(() => undefined);
        const [[{ model, nano }]] = counted.mock.calls;
        expect(model).toBe('priced-gpt');
        // Of more than a hundred tokens, at ten cents each.
        expect(nano).toBeGreaterThan(10 * 1e9);
      }
    },
  );

  it('counts a failed response, and an empty one', async () => {
    const usage = { ...USAGE, cost: 0.1 };
    const failed = { id: 'resp', status: 'failed', output: [], usage };
    for (const reply of [failed, answer('', usage)]) {
      const { total, reply: ended } = await play([reply]);
      expect(ended.failure).not.toBeNull();
      expect(total!.usd).toBe(0.1);
    }
  });

  it('counts the answer that is repaired, also if the repair fails', async () => {
    const env = { DISABLE_NATIVE_TOOLS_FOR_MODELS: 'm' };
    const usage = { ...USAGE, cost: 0.1 };
    const bad = answer(BROKEN_CALL, usage);
    const repaired = await play([bad, answer('Done.', usage)], {}, env);
    expect(repaired.total!.usd).toBe(0.2);
    const failed = { id: 'resp', status: 'failed', output: [], usage };
    const lost = await play([bad, failed], {}, env);
    expect(lost.reply.failure).not.toBeNull();
    expect(lost.total!.usd).toBe(0.2);
  });

  it('counts the turn that the Agents SDK could not take, and the one of the engine after it', async () => {
    const usage = { ...USAGE, cost: 0.1 };
    const call = {
      type: 'function_call',
      call_id: 'a',
      name: 'f',
      arguments: '{}',
    };
    const strange = {
      ...answer('', usage),
      output: [{ type: 'computer_call', call_id: 'c' }, call],
    };
    const { total, reply } = await play(
      [strange, answer('Done.', usage)],
      {},
      {
        RELAY_CHAT_ENGINES: 'agents,responses',
      },
    );
    expect(reply).toMatchObject({ text: 'Done.', usage: { total_tokens: 6 } });
    expect(total).toEqual({ usd: 0.2, source: 'gateway' });
  });
});
