import { once } from 'node:events';
import { connect } from 'node:net';
import { Logger, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppConfig } from '../config/config';
import { loadConfig } from '../config/load-config';
import { closeHttpApp } from '../platform/http/close-http-app';
import { createHttpApp } from '../platform/http/http-app';
import { HttpModule } from '../platform/http/http.module';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import { RunsService } from '../runs/runs.service';
import { Budgets } from '../tenants/spend/budgets';
import { ChatController } from './chat.controller';
import type { ChatRequestDto } from './dto/chat.dto';
import { ChatSubmitter } from './background/chat-submitter';
import { ChatService } from './chat.service';

type Reply = ChatService['reply'];
const reply = jest.fn<ReturnType<Reply>, Parameters<Reply>>();
const stream = (): ReturnType<ChatService['stream']> => async (emit) =>
  emit({ type: 'completed', data: CHAT });

@Module({
  imports: [HttpModule],
  controllers: [ChatController],
  providers: [
    { provide: ChatService, useValue: { reply, stream } },
    { provide: ChatSubmitter, useValue: {} },
    { provide: RunsService, useValue: {} },
    { provide: CallerRunsListing, useValue: {} },
    { provide: Budgets, useValue: { check: () => Promise.resolve() } },
    { provide: AppConfig, useValue: loadConfig({}) },
  ],
})
class TestModule {}

const text = (value: unknown) => ({ type: 'text', text: value });
const CHAT = { content: 'Hi.' } as Awaited<ReturnType<Reply>>;

describe(ChatController.name, () => {
  let app: NestFastifyApplication;

  const post = (payload: object, headers = {}) =>
    app.inject({ method: 'POST', url: '/api/v1/chat', payload, headers });
  const fetched = async (payload: object, headers = {}) =>
    fetch(`${await app.getUrl()}/api/v1/chat`, {
      method: 'POST',
      body: JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const faultsOf = async (payload: object) => {
    const response = await post(payload);
    if (response.statusCode === 200) return [];
    expect(response.statusCode).toBe(422);
    const { code, errors } = response.json<{
      code: string;
      errors: { path: string }[];
    }>();
    expect(code).toBe('validation_failed');
    return errors.map(({ path }) => path);
  };

  beforeAll(async () => {
    Logger.overrideLogger(false);
    app = await createHttpApp(TestModule);
    await app.listen(0, '127.0.0.1');
  });
  beforeEach(() => {
    reply.mockReset();
    reply.mockResolvedValue(CHAT);
  });
  afterAll(() => closeHttpApp(app));

  it('returns 200', async () => {
    const response = await post({ message: 'Hi!' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(CHAT);
  });

  it('accepts every field of the contract', async () => {
    const body = {
      message: 'And then?',
      messages: [
        { role: 'system', contents: [text('Be brief.')] },
        {
          role: 'user',
          contents: [
            text('Hi'),
            { type: 'image', image: { url: 'https://a/b.png' } },
            { type: 'image', image: { data: 'AAAA', mime_type: 'image/png' } },
            { type: 'function', function: { name: 'f', arguments: '{' } },
            { type: 'value', value: [1, null] },
          ],
        },
        {
          id: 'msg_1',
          role: 'assistant',
          contents: [],
          thinking: '…',
          tool_calls: [
            {
              type: 'function',
              id: 'a',
              function: { name: 'f', arguments: { x: 1 } },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'a', name: 'f', contents: [text('1')] },
      ],
      context: ['춘장'],
      documents: [{ title: 'T', text: 'x' }],
      auto_tool_call: true,
      background: false,
      clarification: 'auto',
      system_prompt: null,
      deliverable_format: null,
      time_zone: 'Asia/Seoul',
      stream: false,
    };
    expect(await faultsOf(body)).toEqual([]);
    const given: ChatRequestDto = JSON.parse(
      JSON.stringify(reply.mock.calls[0][0]),
    );
    // What is null is absent.
    const { system_prompt, deliverable_format, ...present } = body;
    expect([system_prompt, deliverable_format]).toEqual([null, null]);
    expect(given).toEqual(present);
  });

  const PNG = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  const turn = (role: string, more: object) => ({
    message: 'Hi',
    messages: [{ role, contents: [], ...more }],
  });
  const parts = (...contents: object[]) => turn('user', { contents });
  const called = (call: object) =>
    turn('assistant', { tool_calls: [{ type: 'function', ...call }] });
  const functions = (...all: object[]) => ({ message: 'Hi', functions: all });

  it.each<[string, object, object]>([
    [
      'a function as Chat Completions has it',
      functions({ type: 'function', function: { name: 'f', strict: true } }),
      functions({ name: 'f', strict: true }),
    ],
    [
      'a function as Responses has it',
      functions({ type: 'function', name: 'f' }),
      functions({ name: 'f' }),
    ],
    [
      'a function that says what it returns',
      functions({ name: 'f', returns: { type: 'number' } }),
      functions({ name: 'f', returns: { type: 'number' } }),
    ],
    [
      'an image whose bytes name its type',
      parts({ type: 'image', image: { data: PNG } }),
      parts({ type: 'image', image: { data: PNG, mime_type: 'image/png' } }),
    ],
    [
      'a function part with the arguments as an object',
      parts({ type: 'function', function: { name: 'f', arguments: { a: 1 } } }),
      parts({
        type: 'function',
        function: { name: 'f', arguments: '{"a":1}' },
      }),
    ],
    [
      'a call whose id is in its function',
      called({ function: { id: 'a', name: 'f', arguments: {} } }),
      called({ id: 'a', function: { name: 'f', arguments: {} } }),
    ],
    [
      'a call that has its id twice',
      called({ id: 'a', function: { id: 'a', name: 'f', arguments: {} } }),
      called({ id: 'a', function: { name: 'f', arguments: {} } }),
    ],
  ])('reads %s', async (_, body, read) => {
    expect(await faultsOf(body)).toEqual([]);
    expect(JSON.parse(JSON.stringify(reply.mock.calls[0][0]))).toEqual({
      auto_tool_call: true,
      background: false,
      stream: false,
      ...read,
    });
  });

  it.each<[string, object]>([
    ['functions.0.type', functions({ type: 'custom', name: 'f' })],
    ['functions.0.name', functions({ type: 'function', function: {} })],
    ['functions.0.function', functions({ type: 'function', function: 7 })],
    [
      'functions.0.function',
      functions({ type: 'function', name: 'f', function: { name: 'g' } }),
    ],
    ['functions.0.returns', functions({ name: 'f', returns: 'number' })],
    [
      'messages.0.contents.0.image.mime_type',
      parts({ type: 'image', image: { data: 'AAAA' } }),
    ],
    [
      'messages.0.contents.0.function.arguments',
      parts({ type: 'function', function: { name: 'f', arguments: [1] } }),
    ],
    [
      'messages.0.contents.0.function.arguments',
      parts({
        type: 'function',
        function: { name: 'f', arguments: { a: 'x'.repeat(1_000_000) } },
      }),
    ],
    [
      'messages.0.tool_calls.0.function.id',
      called({ id: 'a', function: { id: 'b', name: 'f', arguments: {} } }),
    ],
    [
      'messages.0.tool_calls.0.id',
      called({ function: { id: 7, name: 'f', arguments: {} } }),
    ],
    ['message', {}],
    ['message', { message: '' }],
    ['message', { message: 'x'.repeat(32_001) }],
    ['message', { messages: [] }],
    ['message', { message: null }],
    ['message', { message: 7, messages: [{ role: 'user', contents: [] }] }],
    ['stream', { message: 'Hi', stream: 'yes' }],
    ['time_zone', { message: 'Hi', time_zone: 'Mars/Olympus' }],
    ['auto_tool_call', { message: 'Hi', auto_tool_call: 'no' }],
    ['deliverable_format', { message: 'Hi', deliverable_format: 'slides' }],
    ['system_prompt', { message: 'Hi', system_prompt: ['a'] }],
    ['context', { message: 'Hi', context: 'salt' }],
    ['context', { message: 'Hi', context: [7] }],
    ['documents.0.text', { message: 'Hi', documents: [{ title: 'T' }] }],
    ['documents', { message: 'Hi', documents: [[]] }],
    ['nonsense', { message: 'Hi', nonsense: 1 }],
    ['messages', { messages: 'Hi' }],
    ['messages', { messages: [[]] }],
    ['messages', { messages: [null] }],
    ['messages.0.role', { messages: [{ role: 'robot', contents: [] }] }],
    ['messages.0.contents', { messages: [{ role: 'user' }] }],
    [
      'messages.0.contents.0.text',
      { messages: [{ role: 'user', contents: [text(7)] }] },
    ],
    [
      'messages.0.contents.0.image.url',
      {
        messages: [
          {
            role: 'user',
            contents: [{ type: 'image', image: { url: 'file:///etc/passwd' } }],
          },
        ],
      },
    ],
    [
      'messages.0.tool_call_id',
      { messages: [{ role: 'tool', tool_call_id: 1, contents: [] }] },
    ],
    ['tools', { message: 'a', tools: ['a', 'a'] }],
    ['tools', { message: 'a', tools: Array.from({ length: 129 }, String) }],
    ['tool_choice', { message: 'a', tool_choice: { name: 'a', more: 1 } }],
    ['tool_context', { message: 'a', tool_context: [] }],
    ['max_research', { message: 'a', max_research: 1.5 }],
    ['model', { message: 'a', model: '' }],
  ])('names %s in %.60j', async (path, body) => {
    expect(await faultsOf(body)).toContain(path);
    expect(reply).not.toHaveBeenCalled();
  });

  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream;q=1 , TEXT/event-stream', 'text/event-stream'],
    ['text/event-stream, application/json', 'application/json'],
    ['*/*', 'application/json'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const { status, headers } = await fetched({ message: 'Hi!' }, { accept });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  it('returns events if the request asks for a stream', async () => {
    const reply = await fetched({ message: 'Hi!', stream: true });
    const data = JSON.stringify(CHAT);
    expect(await reply.text()).toBe(
      `id: 1\nevent: completed\ndata: ${data}\n\n`,
    );
  });

  it('aborts the chat when its client disconnects', async () => {
    const started = new Promise<AbortSignal>((resolve) => {
      reply.mockImplementation((_request, _caller, disconnected) => {
        resolve(disconnected);
        return new Promise((_, reject) => {
          disconnected.addEventListener('abort', () =>
            reject(disconnected.reason as Error),
          );
        });
      });
    });
    const { port } = app.getHttpServer().address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    const body = '{"message":"Hi"}';
    socket.write(
      `POST /api/v1/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const disconnected = await started;
    socket.destroy();
    if (!disconnected.aborted) await once(disconnected, 'abort');
  });
});
