import { Controller, Delete, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type CallerIdentity } from '../../platform/auth/caller';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { AppError } from '../../platform/errors';
import { PageCache } from '../../sources/pages/page-cache';
import { PagePurge } from './page-purge';
import { PurgedPageDto, PurgePageQueryDto } from './purge.dto';

@ApiTags('tool invocations')
@Controller('api/v1/pages')
export class PagesController {
  constructor(
    private readonly cache: PageCache,
    private readonly pages: PagePurge,
  ) {}

  @Delete()
  @RequiresScope('research', 'always')
  @ApiOperation({
    operationId: 'Page_purge',
    summary: 'Purge a page',
    description:
      "Removes a page from the cache of public pages, and its quotes and notes from the caller's own runs of the research agent. What reports say stays. Safe to repeat.",
  })
  @ApiOkResponse({ type: PurgedPageDto })
  async purge(
    @Query() { url, cursor }: PurgePageQueryDto,
    @Caller() { name }: CallerIdentity,
  ): Promise<PurgedPageDto> {
    const address = addressIn(url);
    // First, so that no run that is under way reads it from there again.
    const cached = await this.cache.purge(address);
    const { href } = address;
    const slice = await this.pages.purge(name, href, cursor);
    return {
      url: href,
      cached,
      runs_purged: slice.purged,
      runs_pending: slice.pending,
      has_more: slice.nextCursor !== null,
      next_cursor: slice.nextCursor,
    };
  }
}

/** Without a fragment, as it is fetched. @throws AppError `validation_failed`. */
function addressIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AppError('validation_failed', 'The request is not valid.', {
      errors: [
        {
          path: 'url',
          message: 'must be an http or https address without user and password',
        },
      ],
    });
  // One that begins with `!` names a page in runs.
  if (!url.hash.startsWith('#!')) url.hash = '';
  return url;
}
