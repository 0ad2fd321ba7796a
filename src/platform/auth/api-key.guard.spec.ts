import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  FastifyAdapter,
  type NestFastifyApplication,
} from '@nestjs/platform-fastify';
import { ConfigModule } from '../../config/config.module';
import { loadConfig } from '../../config/load-config';
import { ApiKeyGuard } from './api-key.guard';
import { AuthModule } from './auth.module';
import { Caller, type CallerIdentity } from './caller';
import { RequiresScope } from './requires-scope';

@Controller()
class Routes {
  @Get('api/v1/read')
  read(@Caller() caller: CallerIdentity): CallerIdentity {
    return caller;
  }

  @Get('api/v1/buy')
  @RequiresScope('chat', 'if-configured')
  buy(@Caller() caller: CallerIdentity): CallerIdentity {
    return caller;
  }

  @Get('api/v1/list')
  @RequiresScope('read', 'always')
  list(@Caller() caller: CallerIdentity): CallerIdentity {
    return caller;
  }

  @Get('elsewhere')
  elsewhere(@Caller() caller: CallerIdentity): CallerIdentity {
    return caller;
  }
}

const KEY = 'sk-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');
const NEXT = createHash('sha256').update('sk-next').digest('hex');
const OTHER = createHash('sha256').update('sk-bob').digest('hex');

describe(ApiKeyGuard.name, () => {
  let app: NestFastifyApplication;

  afterEach(() => app.close());

  async function serve(
    keys?: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<void> {
    Logger.overrideLogger(false);
    const config = loadConfig({ RELAY_API_KEYS: keys, ...env });
    @Module({
      imports: [ConfigModule.forRoot(config), AuthModule],
      controllers: [Routes],
    })
    class Rooms {}
    app = await NestFactory.create<NestFastifyApplication>(
      Rooms,
      new FastifyAdapter(),
    );
    await app.listen(0, '127.0.0.1');
  }

  async function get(
    path: string,
    authorization?: string,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const response = await fetch(`${await app.getUrl()}/${path}`, {
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...headers,
      },
    });
    // The problem filter is in another room; without it Nest returns 500 for every AppError.
    return response.ok ? response.json() : 'refused';
  }

  /** With a Host header, which fetch would not send. */
  async function refuses(
    path: string,
    headers: Record<string, string>,
  ): Promise<boolean> {
    const url = `${await app.getUrl()}/${path}`;
    const status = await new Promise<number>((resolve, reject) => {
      request(url, { headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode!);
      })
        .on('error', reject)
        .end();
    });
    return status >= 400;
  }

  describe('with keys configured', () => {
    beforeEach(() =>
      serve(`bob:${OTHER},alice:${HASH.toUpperCase()},bob:${NEXT}`),
    );

    it('identifies a caller by any of its keys', async () => {
      const bob = { name: 'bob', account: '@bob' };
      expect(await get('api/v1/buy', 'Bearer sk-bob')).toEqual(bob);
      expect(await get('api/v1/buy', 'Bearer sk-next')).toEqual(bob);
    });

    it.each(['read', 'buy', 'list'])(
      'identifies the caller of a valid key to %s',
      async (route) => {
        expect(await get(`api/v1/${route}`, `Bearer ${KEY}`)).toEqual({
          name: 'alice',
          account: '@alice',
        });
      },
    );

    it.each(['Bearer wrong', 'Bearer ', 'Bearer', `Basic ${KEY}`, KEY, ''])(
      'refuses %p even where no key is required',
      async (authorization) => {
        expect(await get('api/v1/read', authorization)).toBe('refused');
      },
    );

    it('allows a caller without a key only where a token can authorise it', async () => {
      expect(await get('api/v1/read')).toEqual({});
      expect(await get('api/v1/buy')).toBe('refused');
      expect(await get('api/v1/list')).toBe('refused');
    });

    it('checks only the routes of the API', async () => {
      expect(await get('elsewhere', 'Bearer wrong')).toEqual({});
    });
  });

  describe('without keys', () => {
    beforeEach(() => serve());

    it('treats every caller as anonymous, whatever key they send', async () => {
      expect(await get('api/v1/buy', 'Bearer whatever')).toEqual({});
      expect(await get('api/v1/read')).toEqual({});
    });

    it('allows the user of this machine to list, but no caller through a proxy or another host name', async () => {
      expect(await get('api/v1/list')).toEqual({});
      const forwarded = { 'x-forwarded-for': '203.0.113.7' };
      expect(await get('api/v1/list', undefined, forwarded)).toBe('refused');
      const rebound = { host: 'attacker.example' };
      expect(await refuses('api/v1/list', rebound)).toBe(true);
    });

    it('refuses to list on a host that others can reach', async () => {
      await app.close();
      await serve(undefined, {
        RELAY_HOST: '0.0.0.0',
        RELAY_ALLOW_ANONYMOUS: 'true',
      });
      expect(await get('api/v1/buy')).toEqual({});
      expect(await get('api/v1/list')).toBe('refused');
    });
  });
});
