import { BullBoardModule } from '@bull-board/nestjs';
import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FailedLogins } from '../../auth/failed-logins';
import { FailedLoginsModule } from '../../auth/failed-logins.module';
import { AppConfig } from '../../../config/config';
import { AppError } from '../../errors';
import { RedisConnections } from '../../redis/redis-connections';
import { boardIsOn, checkBoardAccess } from './board-access';
import { BOARD_POLICY, BoardAdapter } from './board-adapter';
import { BoardQueue } from './board-queue';

export const BOARD_ROUTE = '/admin/queues';

/** The Bull dashboard. Import it where the queues are registered. */
@Module({})
export class BoardModule {
  /** @param retriable queues whose failed jobs can be done again there. */
  static forRoot(
    queueNames: readonly string[],
    config: AppConfig,
    retriable: readonly string[] = [],
  ): DynamicModule {
    if (!boardIsOn(config))
      return { module: BoardModule, imports: [FailedLoginsModule] };
    return {
      module: BoardModule,
      imports: [
        FailedLoginsModule,
        BullBoardModule.forRoot({
          route: BOARD_ROUTE,
          adapter: BoardAdapter,
          boardOptions: {
            uiConfig: { boardTitle: 'Sonde', hideRedisDetails: true },
          },
        }),
        BullBoardModule.forFeature(
          ...queueNames.map((name) => ({
            name,
            adapter: BoardQueue,
            options: { allowRetries: retriable.includes(name) },
          })),
        ),
      ],
    };
  }

  constructor(
    host: HttpAdapterHost,
    config: AppConfig,
    connections: RedisConnections,
    failures: FailedLogins,
  ) {
    const fastify: FastifyInstance | undefined =
      host.httpAdapter?.getInstance();
    const check = async (
      request: FastifyRequest,
      reply: FastifyReply,
      url: string,
    ): Promise<void> => {
      reply.header('x-frame-options', 'DENY');
      reply.header('content-security-policy', BOARD_POLICY);
      try {
        await checkBoardAccess(request, config, failures);
        // The dashboard would wait for Redis without a timeout.
        if (!connections.ready && url.startsWith(`${BOARD_ROUTE}/api/`))
          throw new AppError('queue_unavailable', undefined, {
            retryAfterSeconds: 1,
          });
      } catch (refusal) {
        if (refusal instanceof AppError && refusal.status === 401)
          reply.header('www-authenticate', 'Basic realm="Sonde"');
        throw refusal;
      }
    };
    // At the root and by the matched route: middleware of the dashboard misses its API and files, and a URL has many
    // spellings.
    fastify?.addHook('onRequest', (request, reply, done) => {
      const { url } = request.routeOptions;
      if (url !== BOARD_ROUTE && !url?.startsWith(`${BOARD_ROUTE}/`))
        return done();
      check(request, reply, url).then(() => done(), done);
    });
  }
}
