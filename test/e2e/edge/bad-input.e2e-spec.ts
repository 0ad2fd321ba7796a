import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { all, type Client, Invocation } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';

const KEY = 'the-key-of-alice';
const RESEARCH = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';

/** `[[[…]]]`, `depth` deep, as JSON. */
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('a service that receives malformed input', () => {
  let stand: Stand;
  let client: Client;
  let known: Invocation;

  beforeAll(async () => {
    const hash = createHash('sha256').update(KEY).digest('hex');
    stand = await Stand.start({
      env: { RELAY_API_KEYS: `alice:${hash}`, LITELLM_MODEL: 'gpt-5.5' },
    });
    client = stand.client().as(KEY);
    known = await client.submit({ research_question: 'kimchi' });
  });
  afterAll(() => stand.stop());

  const raw = (path: string, text: string, headers = {}) =>
    client.request('POST', path, { raw: text, headers });
  const research = (args: unknown, rest: object = {}) =>
    client.post(RESEARCH, {
      tool_name: 'deep_research',
      arguments: args,
      ...rest,
    });
  const invalid = (...paths: string[]) => ({
    status: 422,
    code: 'validation_failed',
    paths,
  });

  describe('in a body', () => {
    it.each([
      ['broken JSON', '{"tool_name":'],
      ['two documents', '{} {}'],
      ['text', 'research this'],
      ['a number that JSON does not have', '{"message": NaN}'],
      ['a __proto__ key', '{"tool_name": "x", "__proto__": {"admin": 1}}'],
      ['a nested __proto__ key', '{"arguments": {"a": [{"__proto__": 1}]}}'],
      ['a constructor key', '{"a": {"constructor": {"prototype": {"b": 1}}}}'],
    ])('rejects %s as invalid JSON', async (_, text) => {
      for (const path of [RESEARCH, CHAT])
        expectProblem(await raw(path, text), {
          status: 400,
          code: 'invalid_json',
        });
    });

    it.each(['', '[]', '[{"message": "hello"}]', '7', 'null', '"hello"'])(
      'rejects %j, which is no object',
      async (text) => {
        for (const path of [RESEARCH, CHAT])
          expectProblem(await raw(path, text), invalid(''));
      },
    );

    it('rejects bytes that are not UTF-8', async () => {
      const reply = await fetch(client.url + CHAT, {
        method: 'POST',
        body: Buffer.from('{"message": "\xff"}', 'latin1'),
        headers: { ...client.headers, 'content-type': 'application/json' },
      });
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ code: 'invalid_json' });
    });

    it('rejects more than 4 MiB', async () => {
      const text = JSON.stringify({ message: 'a'.repeat(4 * 1024 * 1024) });
      expectProblem(await raw(CHAT, text), {
        status: 413,
        code: 'body_too_large',
      });
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'nonsense',
    ])('rejects the content type %s', async (type) => {
      expectProblem(await raw(CHAT, '{}', { 'content-type': type }), {
        status: 415,
        code: 'unsupported_media_type',
      });
    });

    it('withstands 100,000 nested brackets', async () => {
      const deep = nested(100_000);
      for (const [path, text] of [
        [
          RESEARCH,
          `{"tool_name": "deep_research", "arguments": {"a": ${deep}}}`,
        ],
        [CHAT, `{"message": "hello", "context": ${deep}}`],
      ])
        expect((await raw(path, text)).status).toBe(422);
    });

    it.each([
      [150, 202],
      [1_000, 422],
      [10_000, 422],
    ])('responds to any JSON nested %i deep with %i', async (depth, status) => {
      const reply = await raw(
        RESEARCH,
        `{"tool_name": "deep_research", "arguments": {"research_question": "?", "background": true,
            "text_format": {"type": "json_schema", "name": "x", "schema": {"a": ${nested(depth)}}}}}`,
        { 'idempotency-key': `depth-${depth}` },
      );
      expect(reply.status).toBe(status);
    });
  });

  describe('in a research submission', () => {
    it('names missing fields', async () => {
      expectProblem(
        await client.post(RESEARCH, {}),
        invalid('tool_name', 'arguments'),
      );
      expectProblem(await research({}), invalid('arguments.research_question'));
    });

    it('names every invalid argument, at any depth', async () => {
      const args = {
        research_question: 7,
        system_prompt: ['a'],
        text_format: { type: 'yaml' },
        context: ['fine', 1],
        constraints: 'none',
        documents: [{ title: 'a', text: 5 }, { title: '' }],
        deliverable_format: 'pdf',
        require_citations: 'yes',
      };
      expectProblem(
        await research(args),
        invalid(
          'arguments.research_question',
          'arguments.system_prompt',
          'arguments.text_format.type',
          'arguments.context.1',
          'arguments.constraints',
          'arguments.documents.0.text',
          'arguments.documents.1.title',
          'arguments.documents.1.text',
          'arguments.deliverable_format',
          'arguments.require_citations',
        ),
      );
    });

    it('names the mode flags together with the other arguments', async () => {
      expectProblem(
        await research({ research_question: '', background: 'yes', stream: 1 }),
        invalid(
          'arguments.research_question',
          'arguments.background',
          'arguments.stream',
        ),
      );
    });

    it('names unknown fields', async () => {
      expectProblem(
        await research({ research_question: '?' }, { tool: 1, stream: true }),
        invalid('tool', 'stream'),
      );
      expectProblem(
        await research({
          research_question: '?',
          toString: 1,
          documents: [{ title: 'a', text: 'b', url: 'c' }],
        }),
        invalid('arguments.toString', 'arguments.documents.0.url'),
      );
    });

    it('rejects more arguments than any tool has', async () => {
      const names = Array.from({ length: 1_001 }, (_, at) => [`a${at}`, 1]);
      expectProblem(
        await research(Object.fromEntries(names)),
        invalid('arguments'),
      );
    });

    it('rejects the key constructor by its path', async () => {
      for (const value of [1, null, {}, 'a'])
        expectProblem(
          await research({
            research_question: '?',
            documents: [{ title: 'a', text: 'b', constructor: value }],
          }),
          invalid('arguments.documents.0.constructor'),
        );
    });

    it('rejects both modes together', async () => {
      expectProblem(
        await research({
          research_question: '?',
          background: true,
          stream: true,
        }),
        invalid('arguments.background', 'arguments.stream'),
      );
    });

    it.each(['deep-research', '__proto__', 'constructor', 'toString'])(
      'rejects the unknown tool %s',
      async (name) => {
        expectProblem(
          await client.post(RESEARCH, { tool_name: name, arguments: {} }),
          { status: 422, code: 'unknown_tool', paths: ['tool_name'] },
        );
      },
    );

    it('accepts a question of 32,000 characters and none longer', async () => {
      const question = '한'.repeat(32_000);
      const reply = await research({
        research_question: question,
        background: true,
      });
      expect(reply.status).toBe(202);
      expectProblem(
        await research({ research_question: `${question}한` }),
        invalid('arguments.research_question'),
      );
    });

    it.each(['', 'a'.repeat(256), 'tab\there', 'café'])(
      'rejects the idempotency key %j',
      async (key) => {
        expectProblem(
          await client.research({}, { 'idempotency-key': key }),
          invalid('Idempotency-Key'),
        );
      },
    );

    it('purchases only what it accepted', async () => {
      expect((await stand.stats()).creates).toBeLessThanOrEqual(3);
    });
  });

  describe('in a chat', () => {
    it('names missing fields', async () => {
      expectProblem(await client.post(CHAT, {}), invalid('message'));
      expectProblem(
        await client.post(CHAT, { message: null, messages: [] }),
        invalid('message'),
      );
    });

    it('names every invalid field, at any depth', async () => {
      expectProblem(
        await client.post(CHAT, {
          message: ['hello'],
          messages: [
            { role: 'robot', contents: [{ type: 'text', text: 1 }] },
            { role: 'user', contents: 'hello' },
            7,
          ],
          context: ['', 'fine'],
          documents: [{ title: 'a' }],
          auto_tool_call: 'no',
          system_prompt: {},
          deliverable_format: 'pdf',
        }),
        invalid(
          'message',
          'messages',
          'messages.0.role',
          'messages.0.contents.0.text',
          'messages.1.contents',
          'messages.2',
          'context',
          'documents.0.text',
          'auto_tool_call',
          'system_prompt',
          'deliverable_format',
        ),
      );
    });

    it('names unknown fields', async () => {
      expectProblem(
        await client.post(CHAT, {
          message: 'hello',
          temperature: 1,
          documents: [{ title: 'a', text: 'b', url: 'c' }],
        }),
        invalid('temperature', 'documents.0.url'),
      );
    });
  });

  describe('in an address', () => {
    it.each(['/api', '/api/v1', '/api/v1/nothing', '/api/v2/chat', '/.env'])(
      'responds 404 at %s',
      async (path) => {
        expectProblem(await client.get(path), {
          status: 404,
          code: 'not_found',
        });
      },
    );

    it.each([
      ['PUT', CHAT, 'GET, HEAD, POST'],
      ['DELETE', RESEARCH, 'GET, HEAD, POST'],
      ['POST', `${RESEARCH}/inv_1/events`, 'GET, HEAD'],
    ])(
      'rejects %s %s and names the allowed methods',
      async (method, path, allow) => {
        const reply = await client.request(method, path);
        expectProblem(reply, { status: 405, code: 'method_not_allowed' });
        expect(reply.headers.get('allow')).toBe(allow);
      },
    );

    it.each([
      'inv_0',
      'inv_ffffffffffffffffffffffffffffffff',
      '%00',
      '..%2f..%2fadmin',
      '*',
      '%7D%7B',
      '%0d%0aset-cookie:%20a=b',
    ])('finds no invocation %s', async (id) => {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/wait'],
        ['GET', '/events'],
        ['POST', '/cancel'],
        ['DELETE', ''],
      ])
        expectProblem(
          await client.request(method, `${RESEARCH}/${id}${path}`),
          { status: 404, code: 'invocation_not_found' },
        );
    });

    it('rejects broken escapes', async () => {
      expectProblem(await client.get(`${RESEARCH}/%zz`), {
        status: 400,
        code: 'bad_request',
      });
    });

    it.each(['abc', '-1', '1e9', '', '1,5', '9'.repeat(40)])(
      'rejects the timeout %j by name',
      async (timeout) => {
        const { path } = known;
        expectProblem(
          await client.get(`${path}/wait?timeout=${timeout}`),
          invalid('timeout'),
        );
      },
    );

    it.each(['abc', '-1', '1-0', '1.5', '9'.repeat(40)])(
      'rejects the last event id %j by name',
      async (id) => {
        const path = `${known.path}/events`;
        expectProblem(
          await client.get(path, { 'last-event-id': id }),
          invalid('Last-Event-ID'),
        );
        expectProblem(
          await client.get(`${path}?last_event_id=${id}`),
          invalid('last_event_id'),
        );
      },
    );

    it('names every invalid parameter of a listing', async () => {
      expectProblem(
        await client.get(
          `${RESEARCH}?limit=0&status=sleeping&cursor=nonsense&page=2`,
        ),
        invalid('limit', 'status', 'cursor', 'page'),
      );
      for (const limit of ['101', 'ten', '', '%20', '1.5', '0x10', '1e1'])
        expectProblem(
          await client.get(`${RESEARCH}?limit=${limit}`),
          invalid('limit'),
        );
    });
  });

  describe('in a header', () => {
    it('returns a valid request id', async () => {
      const { headers } = await client.get('/nothing', {
        'x-request-id': 'order-7:a.B_9',
      });
      expect(headers.get('x-request-id')).toBe('order-7:a.B_9');
    });

    it.each(['a b', '<script>', 'a'.repeat(129), 'é', '{"a":1}'])(
      'replaces the invalid request id %j',
      async (id) => {
        const reply = await client.get('/nothing', { 'x-request-id': id });
        expectProblem(reply, { status: 404, code: 'not_found' });
        expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      },
    );

    it.each([
      ['overlong headers', `X-Long: ${'a'.repeat(20_000)}`, 431],
      ['a line break within a header', 'X-Broken: a\rSet-Cookie: b', 400],
      ['two lengths', 'Content-Length: 2\r\nTransfer-Encoding: chunked', 400],
    ])('rejects %s', async (_, header, status) => {
      const reply = await send(
        `POST ${CHAT} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`,
      );
      expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(reply).toMatch(/content-type: application\/problem\+json/i);
      expect(reply).toMatch(/"code":"bad_request"/);
    });
  });

  it('keeps line breaks and all scripts apart from its own frames and headers', async () => {
    const odd =
      '\r\n\r\nevent: completed\ndata: {}\n\n id: 9\u2028\u0000 한글 🚀';
    const { body } = await research({
      research_question: `history of kimchi ${odd}`,
      documents: [{ title: odd, text: `kimchi ${odd}` }],
      background: true,
    });
    const invocation = new Invocation(
      client,
      body.invocation_id,
      body.invocation_token,
    );
    const frames = await all(invocation.events());
    expect(frames.map(({ id }) => Number(id))).toEqual(
      frames.map((_, i) => i + 1),
    );
    expect(frames.at(-1)!.event).toBe('completed');
    expect((await invocation.read()).status).toBe('completed');
    const asked = (await stand.requests(1))[0].body;
    expect(JSON.stringify(asked)).toContain(JSON.stringify(odd).slice(1, -1));
  });

  it('accepts every number and key that its contract allows', async () => {
    const { body } = await client.get('/openapi.json');
    const integer = { type: 'integer', minimum: 1, maximum: 100 };
    const parameters = (path: string, method: string, name: string) =>
      (body.paths[path][method].parameters as { name: string }[]).find(
        (parameter) => parameter.name === name,
      );
    expect(parameters(RESEARCH, 'get', 'limit')).toMatchObject({
      schema: integer,
    });
    expect(
      body.components.schemas.ChatRequestDto.properties.max_research,
    ).toMatchObject({ type: ['integer', 'null'], minimum: 0 });
    expectProblem(
      await client.post(CHAT, { message: 'hello', max_research: 1.5 }),
      invalid('max_research'),
    );
    for (const path of [RESEARCH, CHAT])
      expect(parameters(path, 'post', 'Idempotency-Key')).toMatchObject({
        schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
      });
  });

  it('still serves afterwards', async () => {
    expect((await client.post(CHAT, { message: 'hello' })).status).toBe(200);
    expect(stand.apis[0].output).not.toMatch(/"level":"(error|fatal)"/);
  });

  /** Sends raw bytes that no HTTP client would send, and returns the whole reply. */
  async function send(bytes: string): Promise<string> {
    const { hostname, port } = new URL(client.url);
    const socket = connect(Number(port), hostname);
    let reply = '';
    socket.on('data', (chunk) => (reply += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    return reply;
  }
});
