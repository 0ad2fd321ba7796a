import { Module } from '@nestjs/common';
import { PageCache } from '../../sources/pages/page-cache';
import { PagesController } from './purge.controller';
import { PurgeModule } from './purge.module';

/** Purges pages on request. Of the API process. */
@Module({
  imports: [PurgeModule],
  controllers: [PagesController],
  providers: [PageCache],
})
export class PurgeApiModule {}
