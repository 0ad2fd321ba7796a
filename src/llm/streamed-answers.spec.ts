import { callToolsInParallel } from '../../test/support/chat/parallel-tool-calls';
import { LearntModels } from './models/learnt-models';
import {
  researchTool,
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../sandbox/testing/sandbox-under-test';
import { loadConfig } from '../config/load-config';
import {
  accumulate,
  EMPTY_DELTA,
  type MessageDelta,
} from '../platform/message/delta';
import { finish } from '../platform/message/delta-finish';
import { AgentsEngine } from './agents-sdk/agents-engine';
import { CompletionsEngine } from './completions/completions-engine';
import type { ModelAnswer, ModelRequest } from './turns/model.types';
import { PromptedEngine } from './prompted/prompted-engine';
import { ResponsesEngine } from './responses/responses-engine';
import { UpstreamClient } from './upstream/upstream.client';

const QUESTION = 'Research the history of jajangmyeon';
const TWO_QUESTIONS = 'Research in detail:\n- kimchi\n- sourdough';
const ROUTES = [
  'Responses',
  'Chat Completions',
  'the Agents SDK over Responses',
  'the Agents SDK over Chat Completions',
  'the prompt over Responses',
  'the prompt over Chat Completions',
] as const;
type Route = (typeof ROUTES)[number];

/** The texts of the deltas, one for each turn with text. */
const textsOf = (received: readonly MessageDelta[]): string[] => {
  if (received.length === 0) return [];
  const { contents } = finish(received.reduce(accumulate, EMPTY_DELTA));
  return contents.map((part) => (part.type === 'text' ? part.text : ''));
};

/** How many events come before the first that may carry a text, and it. */
const firstText = (route: Route) => (route.includes('Responses') ? 5 : 2);

describe('an answer streamed as deltas', () => {
  let sandbox: SandboxUnderTest;
  let upstream: UpstreamClient;
  let engines: Record<Route, Pick<ResponsesEngine, 'run'>>;

  const start = (turnSeconds = 30) => {
    const config = loadConfig({
      LITELLM_BASE_URL: sandbox.url,
      RELAY_TIMEOUT_SECONDS: String(turnSeconds),
    });
    upstream = new UpstreamClient(config);
    const responses = new ResponsesEngine(upstream, config, new LearntModels());
    const completions = new CompletionsEngine(
      upstream,
      config,
      new LearntModels(),
    );
    engines = {
      Responses: responses,
      'Chat Completions': completions,
      'the Agents SDK over Responses': new AgentsEngine(responses),
      'the Agents SDK over Chat Completions': new AgentsEngine(completions),
      'the prompt over Responses': new PromptedEngine(responses),
      'the prompt over Chat Completions': new PromptedEngine(completions),
    };
  };
  const ask = async (
    route: Route,
    text: string,
    more: Partial<ModelRequest> = {},
  ): Promise<{ answer: ModelAnswer; received: MessageDelta[] }> => {
    const received: MessageDelta[] = [];
    const answer = await engines[route].run({
      model: 'gpt-4o',
      input: [{ role: 'user', contents: [{ type: 'text', text }] }],
      tools: [researchTool],
      callTools: callToolsInParallel(
        async ({ arguments: args }) => `It came to Incheon in 1883. ${args}`,
      ),
      onDelta: (delta) => received.push(delta),
      signal: new AbortController().signal,
      ...more,
    });
    return { answer, received };
  };
  const requests = async () => {
    const { data } = await sandbox.get<{
      data: { body: { stream?: boolean; tools?: unknown } }[];
    }>('/sandbox/requests?last=50');
    return data.map(({ body }) => body);
  };
  const routesAnd = <T>(...others: T[]) =>
    ROUTES.flatMap((route) =>
      others.map((other): [Route, T] => [route, other]),
    );

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
  });
  beforeEach(async () => {
    await sandbox.reset();
    start();
  });
  afterEach(() => upstream.onApplicationShutdown());
  afterAll(() => sandbox.close());

  it.each(ROUTES)('over %s adds up to the answer', async (route) => {
    const { answer, received } = await ask(route, 'Hello!');
    expect(answer.failure).toBeNull();
    expect(answer.usage!.total_tokens).toBeGreaterThan(0);
    expect(answer.responseId).toMatch(/^(resp_|chatcmpl)/);
    expect(received.length).toBeGreaterThan(1);
    expect(received[0].role).toBe('assistant');
    expect(textsOf(received)).toEqual([answer.text]);
    expect((await requests()).map(({ stream }) => stream)).toEqual([true]);
  });

  it.each(ROUTES)(
    'over %s runs all calls of a turn together, and sends none of them',
    async (route) => {
      const turns: string[][] = [];
      const { answer, received } = await ask(route, TWO_QUESTIONS, {
        callTools: async (calls) => {
          turns.push(
            calls.map(
              ({ arguments: args }) =>
                (JSON.parse(args) as { research_question: string })
                  .research_question,
            ),
          );
          return {
            outputs: calls.map((_, at) => [
              { type: 'text', text: `Report ${at}.` },
            ]),
          };
        },
      });
      expect(turns).toEqual([['kimchi', 'sourdough']]);
      expect(answer.text).toMatch(/Report 0\.[^]*Report 1\./);
      expect(textsOf(received)).toEqual([answer.text]);
    },
  );

  it.each(ROUTES)(
    'over %s equals the answer without streaming',
    async (route) => {
      const { answer } = await ask(route, QUESTION);
      const plain = await ask(route, QUESTION, { onDelta: undefined });
      expect(plain.received).toEqual([]);
      expect(plain.answer.text).toBe(answer.text);
      expect(plain.answer.usage).toEqual(answer.usage);
      const streams = (await requests()).map(({ stream }) => stream === true);
      expect(streams).toEqual([true, true, false, false]);
    },
  );

  it.each(ROUTES)(
    'over %s takes no further turn after `done`',
    async (route) => {
      const { answer, received } = await ask(route, QUESTION, {
        callTools: async () => ({ outputs: [[]], done: true }),
      });
      expect(answer).toMatchObject({ text: null, failure: null });
      expect(received).toEqual([]);
      expect(await requests()).toHaveLength(1);
    },
  );

  it.each(ROUTES)(
    'over %s ignores a repeated event, but not an equal one',
    async (route) => {
      const fault = { kind: 'unknown_events', count: 0 };
      await sandbox.fault(fault);
      if (route.includes('Responses')) {
        await sandbox.fault({ kind: 'duplicate_events', count: 0 });
      }
      const { answer, received } = await ask(route, QUESTION);
      expect(answer.text).toContain('Incheon in 1883');
      expect(textsOf(received)).toEqual([answer.text]);
    },
  );

  it.each(ROUTES)('over %s reads the frames of LiteLLM', async (route) => {
    await sandbox.config({ dialect: 'litellm' });
    const { answer, received } = await ask(route, QUESTION);
    expect(answer.text).toContain('Incheon in 1883');
    expect(textsOf(received)).toEqual([answer.text]);
  });

  it.each(routesAnd('cut', 'end', 'garbage'))(
    'over %s fails when its stream meets %s after any event, and has sent a prefix of the answer',
    async (route, kind) => {
      const { answer: whole } = await ask(route, 'Hello!');
      let received: MessageDelta[] = [];
      let last = '';
      for (let after_events = firstText(route) - 1; ; after_events += 1) {
        await sandbox.clearFaults();
        await sandbox.fault({ kind, after_events });
        const { answer, ...rest } = await ask(route, 'Hello!');
        ({ received } = rest);
        const [text = ''] = textsOf(received);
        expect(whole.text!.startsWith(text)).toBe(true);
        expect(text.startsWith(last)).toBe(true);
        if (answer.failure === null) {
          expect(answer.text).toBe(text);
          // Repeated, because nothing was received; or cut after its last event.
          if (last !== '') break;
          continue;
        }
        expect(text).not.toBe('');
        expect(answer).toMatchObject({
          text: null,
          failure: { code: expect.stringMatching(/^upstream_/) },
        });
        last = text;
      }
      expect(last).not.toBe('');
    },
  );

  it.each(
    routesAnd('cut', 'end').filter(([route]) => route.includes('prompt')),
  )(
    'over %s is repeated when the stream of a call meets %s after any event, and runs the call once',
    async (route, kind) => {
      for (let after_events = firstText(route); ; after_events += 1) {
        const before = (await requests()).length;
        await sandbox.clearFaults();
        await sandbox.fault({ kind, after_events });
        const callTools = jest.fn(async () => ({ outputs: [], done: true }));
        const { answer, received } = await ask(route, QUESTION, { callTools });
        expect(received).toEqual([]);
        expect(answer.failure).toBeNull();
        expect(callTools).toHaveBeenCalledTimes(1);
        const asked = (await requests()).length - before;
        if (asked === 1) break;
        expect(asked).toBe(2);
      }
    },
    180_000,
  );

  it.each(ROUTES.filter((route) => route.includes('prompt')))(
    'over %s runs no call when every stream is cut',
    async (route) => {
      await sandbox.fault({
        kind: 'cut',
        after_events: firstText(route) + 2,
        count: 0,
      });
      const callTools = jest.fn();
      const { answer, received } = await ask(route, QUESTION, { callTools });
      expect(answer.failure).toMatchObject({
        code: expect.stringMatching(/^upstream_/),
      });
      expect(received).toEqual([]);
      expect(callTools).not.toHaveBeenCalled();
      expect(await requests()).toHaveLength(3);
    },
  );

  it.each(ROUTES)(
    'over %s is repeated only before the first delta',
    async (route) => {
      await sandbox.fault({ kind: 'cut', after_events: 0 });
      const first = await ask(route, 'Hello!');
      expect(textsOf(first.received)).toEqual([first.answer.text]);
      expect(await requests()).toHaveLength(2);
      await sandbox.fault({ kind: 'cut', after_events: 8 });
      const { answer, received } = await ask(route, QUESTION.repeat(3), {
        tools: [],
      });
      expect(received).not.toEqual([]);
      expect(answer.failure).not.toBeNull();
      expect(await requests()).toHaveLength(3);
    },
  );

  it.each(ROUTES)(
    'over %s is repeated in a turn without deltas yet, and runs no call twice',
    async (route) => {
      const callTools = jest.fn(async () => {
        await sandbox.fault({ kind: 'status', status: 503, retry_after_ms: 1 });
        return { outputs: [[]] };
      });
      const { answer, received } = await ask(route, QUESTION, { callTools });
      expect(answer.failure).toBeNull();
      expect(textsOf(received)).toEqual([answer.text]);
      expect(callTools).toHaveBeenCalledTimes(1);
      expect(await requests()).toHaveLength(3);
    },
  );

  it.each(ROUTES)(
    'over %s fails when its stream is silent for too long',
    async (route) => {
      start(1);
      await sandbox.fault({ kind: 'silence', after_events: 8 });
      const { answer, received } = await ask(route, QUESTION.repeat(3), {
        tools: [],
      });
      expect(answer.failure).toMatchObject({ code: 'upstream_timeout' });
      expect(received).not.toEqual([]);
    },
  );

  it.each(ROUTES)(
    'over %s rejects with the reason of the signal of the caller',
    async (route) => {
      const caller = new AbortController();
      const reason = new Error('gone');
      await sandbox.fault({ kind: 'silence', after_events: 8 });
      const onDelta = () => caller.abort(reason);
      const { signal } = caller;
      const running = ask(route, QUESTION.repeat(3), {
        tools: [],
        onDelta,
        signal,
      });
      await expect(running).rejects.toBe(reason);
    },
  );

  it.each([
    ['Responses', 'failed', 'upstream_failed'],
    ['Responses', 'error_event', 'upstream_error'],
    ['Responses', 'empty', 'empty_output'],
    ['Chat Completions', 'failed', 'upstream_error'],
    ['Chat Completions', 'empty', 'empty_output'],
  ] as const)('over %s has %s as %s', async (route, kind, code) => {
    await sandbox.fault({ kind, count: 0 });
    const { answer } = await ask(route, 'Hello!');
    expect(answer).toMatchObject({ text: null, failure: { code } });
  });

  it.each(ROUTES)(
    'over %s accepts a truncated answer, as without streaming',
    async (route) => {
      const fault = { kind: 'incomplete', fraction: 0.5, count: 0 };
      await sandbox.fault(fault);
      const { answer, received } = await ask(route, 'Hello!');
      const plain = await ask(route, 'Hello!', { onDelta: undefined });
      expect(answer.failure).toEqual(plain.answer.failure);
      expect(answer.text).toBe(plain.answer.text);
      expect(textsOf(received)).toEqual([answer.text]);
    },
  );

  it('over Chat Completions omits `stream_options` when the endpoint refuses it', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 400,
      message: 'Unrecognized request argument supplied: stream_options',
      match: { body: 'stream_options' },
      count: 0,
    });
    for (const sent of [3, 5]) {
      const { answer, received } = await ask('Chat Completions', QUESTION);
      expect(textsOf(received)).toEqual([answer.text]);
      expect(answer.usage).toBeNull();
      expect(await requests()).toHaveLength(sent);
    }
  });

  it('over Responses fails when a part of the text was lost', async () => {
    await sandbox.fault({ kind: 'gap', after_events: 6 });
    const { answer, received } = await ask('Responses', QUESTION.repeat(3), {
      tools: [],
    });
    expect(received).not.toEqual([]);
    expect(answer.failure).toMatchObject({ code: 'upstream_error' });
  });
});
