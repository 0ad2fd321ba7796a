import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { loadConfig } from '../config/load-config';
import { CompletionsEngine } from './completions/completions-engine';
import { LearntModels } from './models/learnt-models';
import { PromptedEngine } from './prompted/prompted-engine';
import { ResponsesEngine } from './responses/responses-engine';
import type { ModelRequest } from './turns/model.types';
import { UpstreamClient } from './upstream/upstream.client';

const LOOP = 'It is what it is. ';

/** An endpoint that writes the same words until its caller leaves; at once where no stream is asked for. */
class EndlessEndpoint {
  readonly bodies: Record<string, unknown>[] = [];
  /** Resolves when the caller of a stream has left. */
  left = Promise.resolve();

  constructor(private readonly server: Server) {}

  static async start(): Promise<EndlessEndpoint> {
    const server = createServer();
    const endpoint = new EndlessEndpoint(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        endpoint.bodies.push(body as Record<string, unknown>);
        const isStream = (body as { stream?: boolean }).stream === true;
        if (isStream) endpoint.stream(request.url!, response);
        else response.end(JSON.stringify(whole(request.url!)));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private stream(path: string, response: ServerResponse): void {
    let open = true;
    this.left = new Promise((resolve) =>
      response.once('close', () => {
        open = false;
        resolve();
      }),
    );
    response.setHeader('content-type', 'text/event-stream');
    const write = (): void => {
      if (!open) return;
      const frame = path.endsWith('/responses')
        ? { type: 'response.output_text.delta', output_index: 0, delta: LOOP }
        : { choices: [{ delta: { content: LOOP }, finish_reason: null }] };
      response.write(`data: ${JSON.stringify(frame)}\n\n`);
      setImmediate(write);
    };
    write();
  }
}

const whole = (path: string): object => {
  const text = LOOP.repeat(2_000);
  const content = [{ type: 'output_text', text, annotations: [] }];
  return path.endsWith('/responses')
    ? {
        id: 'r',
        status: 'completed',
        output: [{ type: 'message', role: 'assistant', content }],
      }
    : {
        choices: [
          {
            message: { role: 'assistant', content: text },
            finish_reason: 'stop',
          },
        ],
      };
};

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
