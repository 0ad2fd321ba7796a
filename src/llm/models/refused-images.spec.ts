import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { LearntModels } from './learnt-models';
import { loadConfig } from '../../config/load-config';
import type { MessageDelta } from '../../platform/message/delta';
import { CompletionsEngine } from '../completions/completions-engine';
import type { ModelRequest } from '../turns/model.types';
import { ModelClient } from '../model.client';
import { ResponsesEngine } from '../responses/responses-engine';
import { UpstreamClient } from '../upstream/upstream.client';

const REFUSAL = {
  kind: 'status',
  status: 400,
  message:
    'Invalid content type. image_url is only supported by certain models.',
  count: 0,
};

describe('a model without image support', () => {
  let sandbox: SandboxUnderTest;
  let upstream: UpstreamClient;
  let port: ModelClient;

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
  });
  beforeEach(async () => {
    await sandbox.reset();
    const config = loadConfig({ LITELLM_BASE_URL: sandbox.url });
    upstream = new UpstreamClient(config);
    port = new ModelClient(
      new ResponsesEngine(upstream, config, new LearntModels()),
      new CompletionsEngine(upstream, config, new LearntModels()),
      new LearntModels(),
      config,
    );
  });
  afterEach(() => upstream.onApplicationShutdown());
  afterAll(() => sandbox.close());

  const ask = (more: Partial<ModelRequest> = {}) =>
    port.run({
      model: 'gpt-4o',
      input: [
        {
          role: 'user',
          contents: [
            { type: 'text', text: 'Hello!' },
            { type: 'image', image: { data: 'AAAA', mime_type: 'image/png' } },
          ],
        },
      ],
      tools: [],
      callTools: async () => ({ outputs: [] }),
      signal: new AbortController().signal,
      ...more,
    });
  const bodies = async () => {
    const { data } = await sandbox.get<{ data: { body: object }[] }>(
      '/sandbox/requests?last=50',
    );
    return data.map(({ body }) => JSON.stringify(body));
  };

  it.each(['input_image', 'image_url'])(
    'receives a text in place of the image (%s)',
    async (body) => {
      if (body === 'image_url')
        await sandbox.fault({
          kind: 'status',
          status: 404,
          body: 'detail',
          count: 0,
          match: { path: '/responses' },
        });
      await sandbox.fault({ ...REFUSAL, match: { body: `"${body}"` } });
      const { text, failure } = await ask();
      expect(failure).toBeNull();
      expect(text).toContain('Hello');
      expect((await bodies()).at(-1)).toContain('You cannot be shown images.');
    },
  );

  it('receives it in a streamed answer too, without duplicate deltas', async () => {
    await sandbox.fault({ ...REFUSAL, match: { body: '"input_image"' } });
    const received: MessageDelta[] = [];
    const { text } = await ask({ onDelta: (delta) => received.push(delta) });
    const texts = received.flatMap(({ contents = [] }) =>
      contents.map((part) => part.text),
    );
    expect(texts.join('')).toBe(text);
  });

  it('is not called again after a refusal that is not about images', async () => {
    await sandbox.fault({
      ...REFUSAL,
      message: 'The temperature is out of range.',
    });
    const { failure } = await ask();
    expect(failure).toMatchObject({ code: 'upstream_rejected' });
    expect(await bodies()).toHaveLength(1);
  });
});
