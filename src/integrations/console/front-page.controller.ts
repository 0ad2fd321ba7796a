import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AppConfig } from '../../config/config';
import { boardIsOn } from '../../platform/observability/board/board-access';
import { CONSOLE_POLICY, consolePage } from './console-files';

/** What a program reads at the base URL. Paths are relative, so that they work behind a proxy with a path prefix. */
interface Overview {
  name: 'sonde';
  /** Whether requests need an API key. */
  api_key: boolean;
  links: Record<string, string>;
  /** What the built-in sandbox has pages on; null with another upstream. */
  topics: readonly string[] | null;
}

/** The base URL: the console for a browser, an overview of the service for programs. */
@ApiExcludeController()
@Controller()
export class FrontPageController {
  private readonly page = consolePage();
  private readonly overview: Overview;

  constructor(config: AppConfig) {
    this.overview = {
      name: 'sonde',
      api_key: config.auth.required,
      links: {
        // A browser sends no key by itself.
        ...(config.http.docs === 'public' && { docs: 'docs' }),
        ...(config.http.docs !== 'off' && { openapi: 'openapi.json' }),
        tools: 'api/v1/tools',
        health: 'health/ready',
        ...(boardIsOn(config) && { queues: 'admin/queues' }),
      },
      topics: config.upstream.sandboxTopics ?? null,
    };
  }

  @Get()
  show(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | Overview {
    reply.header('vary', 'accept');
    reply.header('cache-control', 'no-cache');
    reply.header('referrer-policy', 'no-referrer');
    if (this.page === undefined || !/\bhtml\b/.test(accept ?? ''))
      return this.overview;
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', CONSOLE_POLICY);
    return this.page;
  }
}
