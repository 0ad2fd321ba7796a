import {
  EndlessEndpoint,
  LOOP,
} from '../../test/support/upstream/endless-endpoint';
import { loadConfig } from '../config/load-config';
import { CompletionsEngine } from './completions/completions-engine';
import { LearntModels } from './models/learnt-models';
import { PromptedEngine } from './prompted/prompted-engine';
import { ResponsesEngine } from './responses/responses-engine';
import type { ModelRequest } from './turns/model.types';
import { UpstreamClient } from './upstream/upstream.client';

describe('the output of a turn', () => {
  let endpoint: EndlessEndpoint;
  let upstream: UpstreamClient;

  beforeEach(async () => {
    endpoint = await EndlessEndpoint.start();
  });
  afterEach(async () => {
    await upstream.onApplicationShutdown();
    endpoint.close();
  });

  const ENGINES = ['responses', 'completions', 'prompt'] as const;
  const ask = async (
    name: (typeof ENGINES)[number],
    more: Partial<ModelRequest> = {},
    env: Record<string, string> = {},
  ) => {
    const config = loadConfig({ LITELLM_BASE_URL: endpoint.url, ...env });
    upstream = new UpstreamClient(config);
    const completions = new CompletionsEngine(
      upstream,
      config,
      new LearntModels(),
    );
    const engines = {
      completions,
      responses: new ResponsesEngine(upstream, config, new LearntModels()),
      prompt: new PromptedEngine(completions),
    };
    return engines[name].run({
      model: 'my-llama',
      input: [
        { role: 'user', contents: [{ type: 'text', text: 'What is it?' }] },
      ],
      tools: [],
      callTools: async () => ({ outputs: [] }),
      signal: new AbortController().signal,
      ...more,
    });
  };

  describe.each(ENGINES)('over %s', (engine) => {
    it('that repeats itself is cut and reported as cut, and the endpoint is left, when it is streamed', async () => {
      let shown = '';
      const answer = await ask(engine, {
        onDelta: ({ contents = [] }) => {
          for (const { text = '' } of contents) shown += text;
        },
      });
      await endpoint.left;
      expect(answer).toMatchObject({ failure: null, truncated: true });
      expect(answer.text!.length).toBeLessThan(20_000);
      expect(shown.trim()).toBe(answer.text!.trim());
    });

    it('that repeats itself is cut and reported as cut, when it comes whole', async () => {
      const answer = await ask(engine);
      expect(answer).toMatchObject({ failure: null, truncated: true });
      expect(answer.text!.trim()).toBe(LOOP.repeat(2).trim());
    });
  });

  it.each([
    ['responses', 'my-llama', 'max_output_tokens'],
    ['completions', 'my-llama', 'max_tokens'],
    ['completions', 'gpt-5.5', 'max_completion_tokens'],
    ['prompt', 'my-llama', 'max_tokens'],
  ] as const)(
    'over %s has a limit for %s, by %s',
    async (engine, model, field) => {
      const limitOf = async (env: Record<string, string>) => {
        endpoint.bodies.length = 0;
        await ask(engine, { model }, env);
        return endpoint.bodies[0][field];
      };
      expect(await limitOf({})).toBe(16_384);
      const RELAY_MAX_OUTPUT_TOKENS = 'other:100,*:2048';
      expect(await limitOf({ RELAY_MAX_OUTPUT_TOKENS })).toBe(2_048);
      const RELAY_AGENT_CONTEXT_TOKENS = '8192';
      expect(await limitOf({ RELAY_AGENT_CONTEXT_TOKENS })).toBe(4_096);
    },
  );

  it.each([
    ['responses', 'max_output_tokens'],
    ['completions', 'max_completion_tokens'],
  ] as const)(
    'over %s has the limit of its caller alone',
    async (engine, field) => {
      await ask(engine, { sampling: { maxTokens: 50_000 } });
      expect(endpoint.bodies[0]).toMatchObject({ [field]: 50_000 });
      expect(endpoint.bodies[0]).not.toHaveProperty('max_tokens');
    },
  );
});
