import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import type { Client } from '../../support/client';
import { connectNewer } from '../../support/mcp/mcp-clients';
import { openAi, refusal } from '../../support/openai/openai-client';
import { Stand } from '../../support/processes/stand';

const KEY = 'the-key-of-alice';
const MODEL = 'gpt-4.1';
const RESEARCH = 'o3-deep-research';
const hash = createHash('sha256').update(KEY).digest('hex');

const research = (question: string): string =>
  `[sandbox: call deep_research ${JSON.stringify({ research_question: question })}]`;
const message = research('kimchi');
const TWO = `${message} ${research('sourdough')}`;
const completion = {
  model: MODEL,
  messages: [{ role: 'user' as const, content: message }],
};
const response = { model: MODEL, input: message };

/** What the faults of the research model become. */
const CAUSES = [
  [
    { kind: 'status', status: 401 },
    {
      code: 'upstream_unauthorized',
      message: 'The model endpoint refused the credentials.',
      retryable: false,
    },
    'deep_research failed. The model endpoint refused the credentials.',
  ],
  [
    { kind: 'failed' },
    {
      code: 'upstream_failed',
      message: 'The model could not finish.',
      retryable: true,
    },
    'deep_research failed. Please retry later.',
  ],
] as const;

describe.each(CAUSES)(
  'a chat whose research failed with %j',
  (fault, error, content) => {
    const failed = {
      content,
      message: null,
      research_summary: content,
      tool_called: true,
      tool_name: 'deep_research',
      tool_calls: [{ status: 'failed', error }],
      status: 'failed',
      error,
    };
    let stand: Stand;
    let client: Client;
    let sdk: OpenAI;

    beforeAll(async () => {
      stand = await Stand.start({
        researchMs: 50,
        env: { RELAY_API_KEYS: `alice:${hash}`, RELAY_CHAT_MODELS: MODEL },
      });
      client = stand.client().as(KEY);
      // It repeats what it may.
      sdk = openAi(stand.apis[0].url, KEY, { maxRetries: 2 });
    });
    beforeEach(() =>
      stand.fault({ ...fault, count: 0, match: { model: RESEARCH } }),
    );
    afterEach(() => stand.reset());
    afterAll(() => stand.stop());

    const creates = async () =>
      (await stand.requests()).filter(({ body }) => body.model === RESEARCH)
        .length;
    const streamed = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
      const events: T[] = [];
      for await (const event of stream) events.push(event);
      return events;
    };

    it('has failed in the reply', async () => {
      const { status, body } = await client.post('/api/v1/chat', { message });
      expect(status).toBe(200);
      expect(body).toMatchObject(failed);
    });

    it('has failed in the stream, in the result of the call and at its end', async () => {
      const { body } = await client.post('/api/v1/chat', {
        message,
        stream: true,
      });
      const dataOf = (type: string): unknown =>
        JSON.parse(
          new RegExp(`^event: ${type}\\ndata: (.*)$`, 'm').exec(
            body as string,
          )![1],
        );
      expect(dataOf('tool_result')).toMatchObject(failed.tool_calls[0]);
      expect(dataOf('completed')).toMatchObject(failed);
    });

    it('has failed on record', async () => {
      const begun = await client.post('/api/v1/chat', {
        message,
        background: true,
      });
      const path = `/api/v1/chat/${begun.body.chat_id}`;
      const { body } = await client.get(`${path}/wait?timeout=50`);
      expect(body).toMatchObject(failed);
      expect((await client.get('/api/v1/chat')).body.data[0]).toMatchObject({
        status: 'failed',
      });
    });

    it('is refused by its code at /v1/chat/completions, and nothing repeats it by itself', async () => {
      const refused = await refusal(sdk.chat.completions.create(completion));
      expect(refused).toMatchObject({ status: 400, code: error.code });
      expect(refused.message).toContain(error.message);
      const stream = sdk.chat.completions.create({
        ...completion,
        stream: true,
      });
      const late = await refusal(stream.then((events) => streamed(events)));
      expect(late).toMatchObject({ code: error.code });
      expect(await creates()).toBe(2);
    });

    it('is refused by its code at /v1/responses, and nothing repeats it by itself', async () => {
      const refused = await refusal(sdk.responses.create(response));
      expect(refused).toMatchObject({ status: 400, code: error.code });
      const events = await streamed(
        await sdk.responses.create({ ...response, stream: true }),
      );
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: {
          status: 'failed',
          error: { message: `${error.code}: ${error.message}` },
        },
      });
      expect(await creates()).toBe(2);
    });

    it('is an error at the door of MCP', async () => {
      const mcp = await connectNewer(stand.apis[0].url, KEY);
      const {
        isError,
        structured,
        content: parts,
      } = await mcp.call('chat', {
        message,
      });
      await mcp.close();
      expect(isError).toBe(true);
      expect(structured).toMatchObject({
        status: 'failed',
        output_text: content,
        tool_calls: [{ status: 'failed', error }],
        error,
      });
      expect(JSON.stringify(parts)).toContain(
        `${error.code}: ${error.message}`,
      );
    });

    it('says so in every form where other research succeeded', async () => {
      await stand.clearFaults();
      const match = { model: RESEARCH, body: 'sourdough' };
      await stand.fault({ ...fault, count: 0, match });
      const { body } = await client.post('/api/v1/chat', { message: TWO });
      expect(body).toMatchObject({
        status: 'completed',
        error: null,
        tool_calls: [{ error: null }, { status: 'failed', error }],
      });
      const sonde = {
        tool_errors: [{ tool_name: 'deep_research', ...error }],
      };
      const messages = [{ role: 'user' as const, content: TWO }];
      expect(
        await sdk.chat.completions.create({ ...completion, messages }),
      ).toMatchObject({ sonde });
      expect(
        await sdk.responses.create({ ...response, input: TWO }),
      ).toMatchObject({ status: 'completed', sonde });
    });
  },
);
