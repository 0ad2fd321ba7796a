import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Logger,
  Module,
  Param,
  Post,
  type RawBodyRequest,
  Req,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsObject, IsOptional, IsString } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors';
import { closeHttpApp } from './close-http-app';
import { MAX_BODY_BYTES } from './body/body-limits';
import { createHttpApp } from './http-app';
import { HttpModule } from './http.module';
import { KeepRawBody } from './body/json-body';
import { Nested } from './validation/nested-dto';

class Turn {
  @IsString() role: string;
}

class Input {
  @IsString() message: string;
  @IsOptional() context?: unknown;
  @IsOptional()
  @IsObject({ each: true })
  @Nested(() => Turn)
  messages?: Turn[];
}

class QueueAway extends Error {}

@Controller()
class Routes {
  readonly entered: (() => void)[] = [];
  static finish: () => void;
  static started: Promise<void>;

  @Post('things')
  @HttpCode(200)
  take(@Body() input: Input): Input {
    return input;
  }

  @Post('bare')
  @HttpCode(200)
  bare(
    @Body() body: unknown,
    @Req() request: RawBodyRequest<FastifyRequest>,
  ): unknown {
    return { body: body ?? null, ...(request.rawBody && { raw: true }) };
  }

  @Post('signed')
  @HttpCode(200)
  @KeepRawBody(20)
  signed(@Req() { rawBody }: RawBodyRequest<FastifyRequest>): unknown {
    return { raw: rawBody?.toString() ?? null };
  }

  @Post('things/first')
  first() {
    return {};
  }

  @Get('things/:id')
  fail(@Param('id') id: string): unknown {
    if (id === 'busy')
      throw new AppError('rate_limited', 'Slow down.', {
        retryAfterSeconds: 2.5,
      });
    if (id === 'key') throw new AppError('missing_api_key');
    if (id === 'queue') throw new QueueAway('10.0.0.7 refused');
    if (id === 'bug') throw new TypeError('password=hunter2');
    return { id };
  }

  @Get('slow')
  async slow(): Promise<unknown> {
    await new Promise<void>((resolve) => {
      Routes.finish = resolve;
      this.entered.splice(0).forEach((resolve) => resolve());
    });
    return { done: true };
  }
}

@Module({ imports: [HttpModule], controllers: [Routes] })
class Rooms {}

interface ProblemBody {
  status: number;
  code: string;
  detail: string;
  type: string;
  request_id: string;
  errors: { path: string; message: string }[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe(createHttpApp.name, () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    app = await createHttpApp(Rooms, [
      [(error) => error instanceof QueueAway, 'queue_unavailable'],
    ]);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterEach(() => app.close());

  async function problem(
    path: string,
    init?: RequestInit,
  ): Promise<ProblemBody & { headers: Headers }> {
    const response = await fetch(url + path, init);
    expect(response.headers.get('content-type')).toBe(
      'application/problem+json; charset=utf-8',
    );
    const body = (await response.json()) as ProblemBody;
    expect(body.status).toBe(response.status);
    expect(body.type).toBe(`urn:sonde:error:${body.code}`);
    expect(body.request_id).toBe(response.headers.get('x-request-id'));
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    return { ...body, headers: response.headers };
  }

  const post = (
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = JSON_TYPE,
  ) => problem('/things', { method: 'POST', body, headers });

  it.each([
    ['half an object', '{"message":'],
    ['a __proto__ key', '{"message":"x","__proto__":{"admin":true}}'],
    ['an escaped __proto__ key', '{"message":"x","\\u005f_proto__":{}}'],
    ['a constructor.prototype key', '{"constructor":{"prototype":{}}}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('refuses %s as invalid JSON', async (_, body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      code: 'invalid_json',
    });
  });

  it('refuses a body over the limit', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(MAX_BODY_BYTES) });
    expect(await post(body)).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  it('stores the raw body for a route that needs it, with a lower limit', async () => {
    const send = async (path: string, body: string): Promise<unknown> => {
      const init = { method: 'POST', body, headers: JSON_TYPE };
      return (await fetch(url + path, init)).json();
    };
    const body = '{"a":  "\\u0061"}';
    expect(await send('/signed', body)).toEqual({ raw: body });
    expect(await send('/bare', body)).toEqual({ body: { a: 'a' } });
    expect(await send('/signed', `${body}     `)).toMatchObject({
      code: 'body_too_large',
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'refuses a body of type %s',
    async (type) => {
      expect(await post('a=1', { 'content-type': type })).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
      });
    },
  );

  it('reports every invalid field by its path, unknown ones included', async () => {
    const { errors, ...rest } = await post(
      JSON.stringify({
        message: 1,
        messages: [{ role: 2, x: 1 }],
        extra: true,
      }),
    );
    expect(rest).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(errors).toEqual(
      expect.arrayContaining([
        {
          path: 'message',
          message: 'message must be a string',
          code: 'wrong_type',
        },
        {
          path: 'messages.0.role',
          message: 'role must be a string',
          code: 'wrong_type',
        },
        {
          path: 'messages.0.x',
          message: 'is not a known field',
          code: 'unknown_field',
        },
        {
          path: 'extra',
          message: 'is not a known field',
          code: 'unknown_field',
        },
      ]),
    );
    expect(errors).toHaveLength(4);
  });

  it.each(['[]', '"text"', 'null', '7', ''])(
    'refuses a body that is no object: %s',
    async (body) => {
      expect(await post(body)).toMatchObject({
        status: 422,
        code: 'validation_failed',
        detail: expect.stringContaining('must be a JSON object') as string,
      });
    },
  );

  it('refuses a body nested so deeply that walking it runs out of stack', async () => {
    const context = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(await post(`{"message":"x","context":${context}}`)).toMatchObject({
      status: 422,
      detail: 'The body is nested more than 200 levels deep.',
    });
  });

  it('accepts an empty JSON body where none is required', async () => {
    const response = await fetch(`${url}/bare`, {
      method: 'POST',
      headers: JSON_TYPE,
    });
    expect(await response.json()).toEqual({ body: null });
  });

  it('reports errors in the form of OpenAI alone on the paths of OpenAI', async () => {
    for (const path of ['/v1/embeddings', '/v1/files?a=b', '/v1']) {
      const reply = await fetch(url + path, {
        method: 'POST',
        body: '{"model":',
        headers: JSON_TYPE,
      });
      expect(reply.status).toBe(404);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await reply.json()).toEqual({
        error: {
          message: expect.stringContaining('/api/v1'),
          type: 'invalid_request_error',
          code: 'not_found',
          param: '',
        },
      });
    }
    for (const path of ['/nowhere', '/v10', '/api/v1/x'])
      expect(await problem(path)).not.toHaveProperty('error');
  });

  it.each(['QUERY', 'PUT', 'OPTIONS', 'PROPFIND'])(
    'names the methods of a path to who uses %s',
    async (method) => {
      const wrong = await problem('/things/7', { method });
      expect(wrong).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(wrong.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  it('names of a path of its own no methods of a pattern that it matches', async () => {
    const wrong = await problem('/things/first', { method: 'OPTIONS' });
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  it('ignores a trailing slash', async () => {
    expect((await fetch(`${url}/things/7/`)).status).toBe(200);
    const wrong = await problem('/things/7/', { method: 'DELETE' });
    expect(wrong).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  it('distinguishes a wrong method from an unknown path', async () => {
    expect(await problem('/nowhere?x=1')).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    const wrong = await problem('/things/7', { method: 'DELETE' });
    expect(wrong).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each(['/things/%zz', `/things/${'x'.repeat(300)}`])(
    'answers a path that cannot be read with a problem: %s',
    async (path) => {
      expect((await problem(path)).status).toBeGreaterThanOrEqual(400);
    },
  );

  it('sends Retry-After and WWW-Authenticate where they apply', async () => {
    const busy = await problem('/things/busy');
    expect(busy.headers.get('retry-after')).toBe('3');
    const key = await problem('/things/key');
    expect(key.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('maps an error that another room recognises, without its message', async () => {
    const unavailable = await problem('/things/queue');
    expect(unavailable).toMatchObject({
      status: 503,
      code: 'queue_unavailable',
    });
    expect(unavailable.headers.get('retry-after')).toBe('1');
    expect(JSON.stringify(unavailable)).not.toContain('10.0.0.7');
  });

  it('keeps the message of an unknown error out of the reply', async () => {
    const bug = await problem('/things/bug');
    expect(bug).toMatchObject({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(bug)).not.toContain('hunter2');
  });

  it('returns a safe request id of the caller and replaces any other', async () => {
    const id = async (sent: string): Promise<string | null> => {
      const headers = { 'x-request-id': sent };
      const response = await fetch(`${url}/things/1`, { headers });
      return response.headers.get('x-request-id');
    };
    expect(await id('trace-1:a.b')).toBe('trace-1:a.b');
    expect(await id('<script>')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['431', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['400', 'NOT HTTP AT ALL\r\n\r\n'],
    ['405', 'BREW /things HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])(
    'answers bytes that are no request with a %s problem',
    async (status, bytes) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let reply = '';
      socket.on('data', (chunk) => (reply += chunk.toString()));
      socket.on('error', () => undefined);
      socket.write(bytes);
      await once(socket, 'close');
      expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(reply).toContain('application/problem+json');
      expect(reply).toContain('X-Request-Id: ');
    },
  );

  describe('with settings of its own', () => {
    const ORIGIN = 'https://app.example';
    let served: NestFastifyApplication;
    beforeEach(() => serve(30_000));
    afterEach(() => served.close());

    async function serve(bodyTimeoutMs: number): Promise<void> {
      const settings = {
        allowedHosts: ['sonde.example'],
        corsOrigins: [ORIGIN],
        anonymous: false,
        bodyMemoryBytes: 1_000_000,
        bodyTimeoutMs,
      };
      served = await createHttpApp(Rooms, [], settings);
      await served.listen(0, '127.0.0.1');
      url = await served.getUrl();
    }

    /** Sends the head of a POST and `body`, which may be shorter than declared. */
    const send = (length: number, body: string, path = '/things'): Socket => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.setEncoding('utf8').on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${length}\r\n\r\n${body}`,
      );
      return socket;
    };
    const replyTo = async (socket: Socket): Promise<string> =>
      ((await once(socket, 'data')) as string[])[0];

    it('refuses a body that arrives too slowly, and closes its connection', async () => {
      await served.close();
      await serve(200);
      const socket = send(1_000, '{"message":');
      expect(await replyTo(socket)).toMatch(
        /^HTTP\/1\.1 408 (.|\r\n)*connection: close(.|\r\n)*request_timeout/,
      );
      await once(socket, 'close');
    });

    it('responds before a refused body has arrived', async () => {
      const unknown = send(1_000_000, '', '/nowhere');
      expect(await replyTo(unknown)).toMatch(/^HTTP\/1\.1 404 /);
      const large = send(MAX_BODY_BYTES + 1, '');
      expect(await replyTo(large)).toMatch(/^HTTP\/1\.1 413 /);
      const many = send(900_000, `[${'1,'.repeat(60_000)}`);
      expect(await replyTo(many)).toMatch(/^HTTP\/1\.1 422 /);
      for (const socket of [unknown, large, many]) socket.destroy();
    });

    it('never holds more bytes of all bodies than the limit', async () => {
      const half = 'a'.repeat(600_000);
      const first = send(1_000_000, `"${half}`);
      const second = send(1_000_000, `"${half}`);
      const refused = await Promise.race([replyTo(first), replyTo(second)]);
      expect(refused).toMatch(/^HTTP\/1\.1 503 (.|\r\n)*retry-after: 1/);
      expect(refused).toContain('server_busy');
      for (const socket of [first, second]) socket.destroy();
    });

    it('releases the memory of bodies, however they ended', async () => {
      const message = 'a'.repeat(600_000);
      for (const body of [JSON.stringify({ message, x: 1 }), `"${message}`])
        for (let times = 0; times < 3; times += 1)
          expect((await post(body)).code).not.toBe('server_busy');
    });

    it('allows pages of its origins to call and to read the exposed headers', async () => {
      const preflight = await fetch(`${url}/things`, {
        method: 'OPTIONS',
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      });
      expect(preflight.status).toBe(204);
      const { headers } = preflight;
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-headers')).toMatch(
        'authorization,idempotency-key',
      );
      expect(headers.get('access-control-allow-methods')).toMatch('DELETE');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      for (const path of ['/things/1', '/things/key', '/nowhere']) {
        const reply = await fetch(url + path, { headers: { origin: ORIGIN } });
        expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
        expect(reply.headers.get('vary')).toMatch(/origin/i);
        expect(reply.headers.get('access-control-expose-headers')).toMatch(
          /Idempotent-Replayed.*Location.*Retry-After.*X-Request-Id/,
        );
      }
    });

    it('never lets a page of another origin read a response', async () => {
      for (const origin of ['https://evil.example', `${ORIGIN}:444`, 'null']) {
        const reply = await fetch(`${url}/things/1`, { headers: { origin } });
        expect(reply.headers.get('access-control-allow-origin')).toBeNull();
        expect(reply.headers.get('vary')).toMatch(/origin/i);
      }
    });
  });

  it('finishes a response in progress at shutdown', async () => {
    const entered = new Promise<void>((resolve) =>
      app.get(Routes).entered.push(resolve),
    );
    const reply = fetch(`${url}/slow`);
    await entered;
    const closed = closeHttpApp(app);
    Routes.finish();
    expect(await (await reply).json()).toEqual({ done: true });
    await closed;
  });

  it('closes a response that takes longer than the limit at shutdown', async () => {
    const entered = new Promise<void>((resolve) =>
      app.get(Routes).entered.push(resolve),
    );
    const reply = fetch(`${url}/slow`).catch(() => 'cut');
    await entered;
    await closeHttpApp(app, 0);
    expect(await reply).toBe('cut');
  });
});
