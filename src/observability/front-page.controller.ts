import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AppConfig } from '../config/config';
import { boardIsOn } from './board/board.access';
import { FRONT_PAGE_POLICY, type FrontPage, frontPageHtml } from './front-page';

/** For whoever opens the base URL in a browser: what there is. */
@ApiExcludeController()
@Controller()
export class FrontPageController {
  private readonly page: FrontPage;

  constructor(config: AppConfig) {
    const { sandboxTopics } = config.upstream;
    this.page = {
      links: [
        { name: 'API', path: 'docs', about: 'Read it, and try it out.' },
        {
          name: 'openapi.json',
          path: 'openapi.json',
          about: 'The same for generators of clients.',
        },
        {
          name: 'Tools',
          path: 'api/v1/tools',
          about: 'What models and callers can call.',
        },
        {
          name: 'Health',
          path: 'health/ready',
          about: 'Redis, workers, the endpoint and its models.',
        },
        ...(boardIsOn(config)
          ? [
              {
                name: 'Queues',
                path: 'admin/queues',
                about: 'The dashboard of the jobs, for operators.',
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
