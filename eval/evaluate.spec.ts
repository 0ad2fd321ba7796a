import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../sandbox/testing/sandbox-under-test';
import { loadConfig } from '../src/config/load-config';
import type { ModelAnswer, ModelRequest } from '../src/llm/turns/model.types';
import { UpstreamError } from '../src/llm/upstream/upstream-error';
import { UpstreamClient } from '../src/llm/upstream/upstream.client';
import { attempt, ENGINES } from './attempt';
import { ASPECTS, type Case, CASES } from './cases';
import { evaluate, mostCalls } from './evaluate';
import { faults, missed, score, toJson, toMarkdown } from './report';
import { Recorder, Replay, secretsOf } from './trace';

const KEY = 'sk-an-unused-key';
/** One of each aspect in each language. */
const SOME = ASPECTS.flatMap((aspect) =>
  ['en', 'ko'].map((language) =>
    CASES.find((one) => one.aspect === aspect && one.language === language)!,
  ),
);

describe('the cases', () => {
  it('are at least sixty, of every aspect in both languages', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(SOME).not.toContain(undefined);
  });

  it('name a tool to call, or none where the model must not call any', () => {
    const silent = ['stays silent', 'protocol'];
    for (const { aspect, calls } of CASES)
      expect(calls.length === 0).toBe(silent.includes(aspect));
  });
});

describe('an evaluation of the sandbox', () => {
  let sandbox: SandboxUnderTest;
  let client: UpstreamClient;
  const config = () =>
    loadConfig({ LITELLM_BASE_URL: sandbox.url, LITELLM_API_KEY: KEY });
  const plan = {
    models: ['gpt-4o'],
    engines: Object.keys(ENGINES),
    cases: SOME,
    maxCalls: 500,
  };

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
    client = new UpstreamClient(config());
  });
  afterAll(async () => {
    await client.onApplicationShutdown();
    await sandbox.close();
  });

  it('is reproducible from its trace, which contains no key and no host', async () => {
    const recorder = new Recorder(client, secretsOf(sandbox.url, KEY));
    const first = await evaluate(plan, recorder, config());
    expect(first.cut).toBe(false);
    expect(first.calls).toBeGreaterThan(plan.engines.length * SOME.length);
    expect(first.calls).toBeLessThanOrEqual(mostCalls(plan));
    expect(recorder.text).not.toMatch(/127\.0\.0\.1|https?:|an-unused-key/);
    const again = await evaluate(plan, new Replay(recorder.text), config());
    expect(again).toEqual(first);
    for (const row of first.rows) {
      expect(score(row, 'stays silent')).toBe(100);
      expect(score(row, 'valid arguments')).toBe(100);
    }
    expect(toMarkdown(first.rows).split('\n')).toHaveLength(
      2 + plan.engines.length,
    );
    expect(JSON.parse(toJson(first.rows))).toMatchObject({
      rows: plan.engines.map((engine) => ({ engine, model: 'gpt-4o' })),
    });
  }, 180_000);

  it('makes no call beyond the limit, and reports that it ended early', async () => {
    const limited = { ...plan, maxCalls: 3 };
    const { calls, cut, rows } = await evaluate(limited, client, config());
    expect({ calls, cut }).toEqual({ calls: 3, cut: true });
    expect(rows).toHaveLength(1);
    expect(rows[0].cases.length).toBeLessThanOrEqual(3);
  });

  it('records the kind of a refusal, and none of its text', async () => {
    await sandbox.fault({ kind: 'status', status: 401, message: 'a secret' });
    const recorder = new Recorder(client, []);
    const one = { ...plan, engines: ['responses'], cases: SOME.slice(0, 1) };
    const first = await evaluate(one, recorder, config());
    expect(recorder.text).not.toContain('a secret');
    expect(faults(first.rows)[0]).toContain('upstream_unauthorized');
    const again = await evaluate(one, new Replay(recorder.text), config());
    expect(again).toEqual(first);
  });

  it('refuses an invalid trace, and a request that is not in it', async () => {
    expect(() => new Replay('{"version": 2}')).toThrow();
    const empty = new Replay('{"version": 1, "entries": []}');
    await expect(evaluate(plan, empty, config())).rejects.toThrow('record it');
  });
});

describe(attempt.name, () => {
  const weather = { callId: 'a', name: 'get_weather' };
  const valid = '{"city": "Seoul", "unit": null}';
  const testCaseOf = (more: Partial<Case> = {}): Case => ({
    aspect: 'calls',
    language: 'en',
    question: 'The weather in Seoul?',
    calls: ['get_weather'],
    ...more,
  });
  /** A model that makes these calls, one a turn, and says this. */
  const model = (
    calls: { name: string; arguments: string }[],
    text: string | null = 'It is 21 degrees.',
  ) => {
    const outputs: unknown[] = [];
    return {
      outputs,
      run: async (request: ModelRequest): Promise<ModelAnswer> => {
        const none = { responseId: null, usage: null };
        for (const call of calls) {
          const made = [{ callId: 'a', ...call }];
          outputs.push(await request.callTools(made, { text: '', ...none }));
        }
        return { text, failure: null, ...none };
      },
    };
  };

  it.each([
    [
      'the call that was wanted',
      [{ ...weather, arguments: valid }],
      { passed: true, valid: true },
    ],
    [
      'the same call again',
      [
        { ...weather, arguments: valid },
        { ...weather, arguments: valid },
      ],
      { passed: true, valid: true },
    ],
    ['no call', [], { passed: false, fault: 'did not call get_weather' }],
    [
      'another call',
      [{ name: 'deep_research', arguments: '{"research_question": "x"}' }],
      { passed: false, valid: true, fault: 'called deep_research' },
    ],
    [
      'a call of nothing',
      [{ name: 'weather', arguments: '{}' }],
      { passed: false, valid: false, fault: 'called weather' },
    ],
    [
      'arguments that do not fit',
      [{ ...weather, arguments: '{"town": "Seoul"}' }],
      { passed: true, valid: false },
    ],
    [
      'arguments that are no JSON',
      [{ ...weather, arguments: '{"city": ' }],
      { passed: true, valid: false },
    ],
  ])('rates %s', async (_, calls, outcome) => {
    expect(await attempt(model(calls), 'm', testCaseOf())).toEqual(outcome);
  });

  it.each([
    ['nothing', null, 'empty reply'],
    [
      'a call in a form of its own',
      '<tool_call>{"name": "x"}</tool_call>',
      'showed a call',
    ],
    [
      'a call as JSON',
      '{"name": "get_weather", "parameters": {}}',
      'showed a call',
    ],
  ])('finds fault with an answer that is %s', async (_, text, fault) => {
    const silent = testCaseOf({ aspect: 'stays silent', calls: [] });
    expect(await attempt(model([], text), 'm', silent)).toMatchObject({
      passed: false,
      fault,
    });
  });

  it('fails the first call where the aspect is the reaction to it', async () => {
    const twice = model([
      { ...weather, arguments: valid },
      { ...weather, arguments: valid },
    ]);
    const case_ = testCaseOf({ aspect: 'after an error' });
    expect(await attempt(twice, 'm', case_)).toMatchObject({ passed: true });
    const [first, second] = twice.outputs.map((one) => JSON.stringify(one));
    expect(first).toContain('TOOL_ERROR');
    expect(second).not.toContain('TOOL_ERROR');
  });

  it('requires as many calls as there are requests, where the aspect is the choice', async () => {
    const both = testCaseOf({
      aspect: 'right tool',
      calls: ['get_weather', 'get_weather'],
    });
    const once = model([{ ...weather, arguments: valid }]);
    expect(await attempt(once, 'm', both)).toMatchObject({
      fault: 'called too little',
    });
  });
});

describe('a time-out', () => {
  it('has a column of its own, and counts for nothing that the model does', async () => {
    const late = {
      run: () =>
        Promise.resolve({
          text: null,
          failure: new UpstreamError('upstream_timeout', 'unknown'),
        } as unknown as ModelAnswer),
    };
    const [first] = CASES;
    const outcome = await attempt(late, 'm', first);
    expect(outcome).toEqual({
      passed: false,
      timedOut: true,
      fault: 'upstream_timeout',
    });
    const row = {
      model: 'm',
      engine: 'prompt',
      calls: 2,
      cases: [
        { testCase: first, outcome },
        { testCase: first, outcome: { passed: true } },
      ],
    };
    expect(score(row, first.aspect)).toBe(100);
    const [head, , line] = toMarkdown([row]).split('\n');
    const column = head.split('|').findIndex((one) => /time-outs/.test(one));
    expect(line.split('|')[column].trim()).toBe('1');
    expect(JSON.parse(toJson([row]))).toMatchObject({
      rows: [{ timeouts: 1 }],
    });
  });
});

describe(missed.name, () => {
  it('reports measures below their threshold, and measures without cases', () => {
    const row = {
      model: 'm',
      engine: 'prompt',
      calls: 2,
      cases: [true, false].map((passed) => ({
        testCase: CASES[0],
        outcome: { passed },
      })),
    };
    expect(missed([row], new Map([['calls', 50]]))).toEqual([]);
    expect(
      missed(
        [row],
        new Map([
          ['calls', 51],
          ['protocol', 0],
        ]),
      ),
    ).toEqual([
      'm prompt, calls: 50 % of 51 %',
      'm prompt, protocol: - of 0 %',
    ]);
  });
});
