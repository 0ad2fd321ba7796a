import { Global, Module } from '@nestjs/common';
import { DocumentExtractor } from '../../tools/documents/document-extractor';
import { DocumentTexts } from './document-texts';
import { ExtractionPool } from './extraction/extraction-pool';
import { HostSlots } from './fetch/host-slots';
import { PageClient } from './fetch/page.client';
import { PageFetcher } from './fetch/page-fetcher';
import { RobotsRules } from './fetch/robots-rules';
import { PageCache } from './page-cache';
import { PageLimits } from './page-limits';
import { PageReader } from './page-reader';

/** Global for the folder of documents, which lies below. Needs the global `RedisModule` and `ConfigModule`. */
@Global()
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
    { provide: DocumentExtractor, useClass: DocumentTexts },
  ],
  exports: [PageReader, DocumentExtractor],
})
export class PagesModule {}
