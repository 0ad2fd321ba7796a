import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import { CompletionEvents } from './completion-events';
import { readReport } from '../report';

const A = { title: 'A', url: 'https://a.example/' };
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const chunk = (content: string, more: object = {}) => ({
  choices: [{ index: 0, delta: { content } }],
  ...more,
});
const ends = (finish_reason: string, more: object = {}) => ({
  choices: [{ index: 0, delta: {}, finish_reason }],
  ...more,
});

async function read(...chunks: object[]) {
  const source = (async function* () {
    for (const chunk of chunks) yield [chunk as ChatCompletionChunk];
  })();
  const events: ResponseStreamEvent[] = [];
  for await (const batch of new CompletionEvents('chat:1', 'm').of(source))
    events.push(...batch);
  const { response } = events.at(-1) as unknown as { response: Response };
  return {
    types: events.map(({ type }) => type),
    text: events
      .map((e) => ('delta' in e && typeof e.delta === 'string' ? e.delta : ''))
      .join(''),
    response,
    report: readReport(response),
  };
}

describe(CompletionEvents.name, () => {
  it('translates a stream into the events and the report of a response', async () => {
    const page = { citations: [A.url], search_results: [A] };
    const { types, text, response, report } = await read(
      chunk('<think>Hm', page),
      chunk('m.</think>Noodles', page),
      chunk('.[1]', page),
      ends('stop', { ...page, usage }),
      chunk(' Too late.'),
    );
    expect(types).toEqual([
      'response.output_item.done',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.completed',
    ]);
    expect(text).toBe('Noodles.[1]');
    expect(response).toMatchObject({ id: 'chat:1', status: 'completed' });
    expect(report).toEqual({
      text,
      citations: [{ ...A, start_index: 8, end_index: 11 }],
      sources: [A],
      refused: false,
      searched: true,
      asks: false,
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        tool_calls: 1,
      },
      progress: { searches: 1, pages_opened: 0, last_step: '' },
    });
  });

  it('keeps the cost that a gateway reports beside the tokens', async () => {
    const { response } = await read(
      chunk('Noodles.'),
      ends('stop', { usage: { ...usage, cost: 0.25 } }),
    );
    expect(response.usage).toMatchObject({ total_tokens: 7, cost: 0.25 });
  });

  it('reads usage and grounding that come after the reason of the end', async () => {
    const { report } = await read(chunk('Noodles.'), ends('stop'), {
      choices: [],
      vertex_ai_grounding_metadata: [
        {
          webSearchQueries: ['noodles'],
          groundingChunks: [{ web: { uri: A.url, title: A.title } }],
          groundingSupports: [
            {
              segment: { endIndex: 7, text: 'Noodles' },
              groundingChunkIndices: [0],
            },
          ],
        },
      ],
      usage,
    });
    expect(report).toMatchObject({
      citations: [{ ...A, start_index: 0, end_index: 7 }],
      usage: { total_tokens: 7 },
      progress: { searches: 1, last_step: 'noodles' },
    });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('is incomplete when it ends with %s', async (finish, reason) => {
    const { types, response } = await read(chunk('Noo'), ends(finish));
    expect(types.at(-1)).toBe('response.incomplete');
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
    });
  });

  it.each([
    ['just stops', [chunk('Noo')]],
    ['holds an error', [chunk('Noo'), { error: { message: 'x', code: 500 } }]],
  ])('has no end when the stream %s', async (_, chunks) => {
    await expect(read(...chunks)).rejects.toBeInstanceOf(UpstreamError);
  });

  it('reads a reply without a stream', () => {
    const whole = new CompletionEvents('chat:1', 'm').whole({
      choices: [
        {
          message: { content: '<think>x</think>So.[1]' },
          finish_reason: 'stop',
        },
      ],
      citations: [A.url],
      usage,
    });
    expect(readReport(whole)).toMatchObject({
      text: 'So.[1]',
      citations: [{ url: A.url, start_index: 3, end_index: 6 }],
      usage: { total_tokens: 7 },
    });
  });

  it.each([null, 'x', {}, { choices: 'x' }, { choices: [null] }])(
    'reads %j as an answer without a text',
    (reply) => {
      const whole = new CompletionEvents('chat:1', 'm').whole(reply);
      expect(readReport(whole)).toMatchObject({ text: '', citations: [] });
    },
  );
});
