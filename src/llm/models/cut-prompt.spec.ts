import { fixedEndpoint } from '../../../test/support/upstream/fixed-endpoint';
import { loadConfig } from '../../config/load-config';
import { CompletionsEngine } from '../completions/completions-engine';
import { ResponsesEngine } from '../responses/responses-engine';
import type { ModelRequest } from '../turns/model.types';
import { UpstreamClient } from '../upstream/upstream.client';
import { learntContext } from './context-window';
import { noteCutPrompt } from './cut-prompt';
import { LearntModels } from './learnt-models';

const MODEL = 'my-llama';
const KNOWN = 'The tower is 330 metres tall and stands in the city. ';

/** An endpoint that reads so many tokens, whatever it was sent. */
const reading = (tokens: number) =>
  fixedEndpoint((path) => ({
    status: 200,
    body: JSON.stringify(
      path.endsWith('/responses')
        ? {
            id: 'r',
            status: 'completed',
            output: [
              {
                type: 'message',
                role: 'assistant',
                content: [{ type: 'output_text', text: 'Yes.' }],
              },
            ],
            usage: { input_tokens: tokens, output_tokens: 2 },
          }
        : {
            choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: tokens, completion_tokens: 2 },
          },
    ),
  }));

/** What is learnt by a chat of a message, in tokens. */
async function learntBy(
  name: 'responses' | 'completions',
  tokens: number,
  message: string,
  tools: ModelRequest['tools'] = [],
): Promise<number | undefined> {
  const endpoint = await reading(tokens);
  const config = loadConfig({ LITELLM_BASE_URL: endpoint.url });
  const upstream = new UpstreamClient(config);
  const learnt = new LearntModels();
  const Engine = { responses: ResponsesEngine, completions: CompletionsEngine };
  try {
    const answer = await new Engine[name](upstream, config, learnt).run({
      model: MODEL,
      input: [{ role: 'user', contents: [{ type: 'text', text: message }] }],
      tools,
      callTools: async () => ({ outputs: [] }),
      signal: new AbortController().signal,
    });
    expect(answer.text).toBe('Yes.');
    return learntContext(learnt, MODEL);
  } finally {
    await upstream.onApplicationShutdown();
    await endpoint.close();
  }
}

describe.each(['responses', 'completions'] as const)(
  'a chat over %s',
  (engine) => {
    it('learns the context to which its prompt was cut', async () => {
      expect(await learntBy(engine, 2_048, KNOWN.repeat(600))).toBe(2_048);
    });

    it('learns nothing from a prompt that was read, or not counted', async () => {
      const prompt = KNOWN.repeat(600);
      for (const tokens of [0, 2_047, 8_192])
        expect(await learntBy(engine, tokens, prompt)).toBeUndefined();
      expect(await learntBy(engine, 2_048, KNOWN)).toBeUndefined();
    });

    it('counts the texts of its tools', async () => {
      const tools = Array.from({ length: 30 }, (_, at) => ({
        name: `tool_${at}`,
        description: KNOWN.repeat(10),
        parameters: {
          type: 'object',
          properties: { a: { type: 'string', description: KNOWN.repeat(10) } },
        },
      })) as unknown as ModelRequest['tools'];
      expect(await learntBy(engine, 4_096, 'Hello!', tools)).toBe(4_096);
    });
  },
);

describe(noteCutPrompt.name, () => {
  it('counts no images', () => {
    const learnt = new LearntModels();
    const url = `data:image/png;base64,${'aGVsbG8g'.repeat(20_000)}`;
    const content = [{ type: 'image_url', image_url: { url } }];
    const body = { messages: [{ role: 'user', content }] };
    noteCutPrompt(learnt, MODEL, body, 2_048);
    expect(learntContext(learnt, MODEL)).toBeUndefined();
  });
});
