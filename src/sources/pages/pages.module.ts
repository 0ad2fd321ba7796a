import { Module } from '@nestjs/common';
import { ExtractionPool } from './extraction/extraction-pool';
import { HostSlots } from './fetch/host-slots';
import { PageClient } from './fetch/page.client';
import { PageFetcher } from './fetch/page-fetcher';
import { RobotsRules } from './fetch/robots-rules';
import { PageCache } from './page-cache';
import { PageLimits } from './page-limits';
import { PageReader } from './page-reader';

/** Needs the global `RedisModule` and `ConfigModule`. */
@Module({
  providers: [
    PageLimits,
    HostSlots,
    PageClient,
    ExtractionPool,
    RobotsRules,
    PageFetcher,
    PageCache,
    PageReader,
  ],
  exports: [PageReader],
})
export class PagesModule {}
