import type { Client } from '../../support/client';
import {
  beginChat,
  CHAT_MODES,
  type ChatMode,
} from '../../support/chat/chat-handle';
import { ToolCallLog } from '../../support/tool-call-log';
import { priceFile } from '../../support/price-table';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';

const RESEARCH = 'o3-deep-research';
const NO_RESPONSES = { kind: 'status', status: 404, body: 'detail', count: 0 };
const APPROVAL = `[sandbox: call delete_note ${JSON.stringify({ word: 'a' })}]`;

/** A model for each engine; the endpoint has Responses for all but the second. */
const MODELS = [
  ['Responses', 'gpt-4o', 'responses'],
  ['Chat Completions', 'deepseek-v3-0324', 'responses'],
  ['the prompt', 'gpt-oss-40', 'prompt'],
  ['the Agents SDK', 'gpt-4.1', 'agents'],
] as const;
const COMPLETIONS_ONLY = 'deepseek-v3-0324';
/** A cent for a token of input, ten for one of output. */
const PRICE = { inputPerMillion: 10_000, outputPerMillion: 100_000 };

const cost = (spent: number, source: 'gateway' | 'prices') => ({
  currency: 'USD',
  estimated: null,
  reserved: null,
  spent,
  source,
});

describe('the cost of a chat', () => {
  const prices = priceFile({ 'gpt-*': PRICE, 'deepseek*': PRICE });
  const callLog = new ToolCallLog();
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 0,
      workers: 0,
      researchMs: 50,
      env: callLog.env,
      toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
    });
    // One after the other: their order is that of the models.
    for (const [, model, engine] of MODELS)
      await stand.addApi({
        LITELLM_CHAT_MODEL: model,
        RELAY_CHAT_ENGINES: engine,
        RELAY_PRICES_CONFIG: prices.path,
      });
    await stand.addWorker({ RELAY_PRICES_CONFIG: prices.path });
  });
  beforeEach(() =>
    stand.fault({
      ...NO_RESPONSES,
      match: { path: '/responses', model: COMPLETIONS_ONLY },
    }),
  );
  afterEach(() => stand.reset());
  afterAll(async () => {
    await stand.stop();
    prices.remove();
    callLog.remove();
  });

  /** What every turn of a model reports. */
  const report = (model: string, reported: object) =>
    stand.fault({ kind: 'cost', match: { model }, count: 0, ...reported });

  describe.each(MODELS.map(([name, model], at) => ({ name, model, at })))(
    'over $name',
    ({ model, at }) => {
      const ask = async (message: string, mode: ChatMode = 'plain') =>
        (await beginChat(stand.client(at), mode, { message })).reply;

      it.each([
        ['plain', { usage: 0.1 }],
        ['streamed', { usage: 0.1 }],
        ['plain', { header: '0.1' }],
      ] as const)(
        'is the sum of its turns, without its research (%s, %j)',
        async (mode, reported) => {
          await report(model, reported);
          const reply = await ask('Research the history of kimchi', mode);
          expect(reply.tool_name).toBe('deep_research');
          expect(reply.cost).toEqual(cost(0.2, 'gateway'));
          const [{ invocation_id, invocation_token }] = reply.tool_calls;
          const run = stand
            .client(at)
            .invocation(invocation_id, invocation_token);
          expect((await run.read()).cost).toBeNull();
        },
      );

      it('is at the configured prices where a report is absent or absurd', async () => {
        await report(model, { usage: -1, header: 'NaN' });
        const { usage, cost: found } = await ask('Hello!');
        const spent = (usage.input_tokens + 10 * usage.output_tokens) / 100;
        expect(found).toEqual(cost(spent, 'prices'));
      });
    },
  );

  it.each(CHAT_MODES)('survives an approval (%s)', async (mode) => {
    const client: Client = stand.client();
    await report('gpt-4o', { usage: 0.1 });
    const { reply, chat } = await beginChat(client, mode, {
      message: APPROVAL,
    });
    expect(reply.cost).toEqual(cost(0.1, 'gateway'));
    const [{ call_id }] = reply.required_action.approvals;
    await chat.approve(call_id);
    expect(await chat.wait()).toMatchObject({
      status: 'completed',
      cost: cost(0.2, 'gateway'),
    });
    const { data } = (await chat.events()).at(-1)!;
    expect(data.cost).toEqual(cost(0.2, 'gateway'));
  });

  it('of research is in its own record', async () => {
    await report(RESEARCH, { usage: 5 });
    await report('gpt-4o', { usage: 0.1 });
    const { reply } = await beginChat(stand.client(), 'plain', {
      message: 'Research the history of kimchi',
    });
    const [{ invocation_id, invocation_token }] = reply.tool_calls;
    const run = stand.client().invocation(invocation_id, invocation_token);
    expect((await run.read()).cost).toEqual(cost(5, 'gateway'));
    expect(reply.cost).toEqual(cost(0.2, 'gateway'));
  });
});
