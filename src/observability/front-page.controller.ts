import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AppConfig } from '../config/config';
import { boardIsOn } from './board/board.access';
import { FRONT_PAGE_POLICY, type FrontPage, frontPageHtml } from './front-page';

/** For a browser that opens the base URL: an overview of the service. */
@ApiExcludeController()
@Controller()
export class FrontPageController {
  private readonly page: FrontPage;

  constructor(config: AppConfig) {
    const { sandboxTopics } = config.upstream;
    this.page = {
      links: [
        {
          name: 'API',
          path: 'docs',
          about: 'Read the reference and try requests.',
        },
        {
          name: 'openapi.json',
          path: 'openapi.json',
          about: 'The same for client generators.',
        },
        {
          name: 'Tools',
          path: 'api/v1/tools',
          about: 'The tools that models and callers can call.',
        },
        {
          name: 'Health',
          path: 'health/ready',
          about: 'Redis, workers, the model endpoint and its models.',
        },
        ...(boardIsOn(config)
          ? [
              {
                name: 'Queues',
                path: 'admin/queues',
                about: 'The job dashboard, for operators.',
              },
            ]
          : []),
      ],
      topics: sandboxTopics ?? null,
    };
  }

  @Get()
  show(
    @Headers('accept') accept: string | undefined,
    @Headers('host') host: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | FrontPage {
    reply.header('vary', 'accept, host');
    if (/\bjson\b/.test(accept ?? '') && !/\bhtml\b/.test(accept ?? ''))
      return this.page;
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.header('content-security-policy', FRONT_PAGE_POLICY);
    reply.header('referrer-policy', 'no-referrer');
    return frontPageHtml(this.page, host);
  }
}
