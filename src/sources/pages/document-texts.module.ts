import { Module } from '@nestjs/common';
import { DocumentTexts } from './document-texts';
import { ExtractionPool } from './extraction/extraction-pool';
import { FileLimits, PageLimits } from './page-limits';

/** Reads the files of requests, in API processes. Its thread is started by the first of them. */
@Module({
  providers: [
    { provide: PageLimits, useClass: FileLimits },
    ExtractionPool,
    DocumentTexts,
  ],
  exports: [DocumentTexts],
})
export class DocumentTextsModule {}
