import { Module } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { DocumentExtractor } from './document-extractor';
import { DocumentFolder } from './document-folder';

/** The folder that the operator configured, indexed once per process; undefined without one. */
@Module({
  providers: [
    {
      provide: DocumentFolder,
      inject: [AppConfig, { token: DocumentExtractor, optional: true }],
      useFactory: (
        { documents: { folder } }: AppConfig,
        extractor?: DocumentExtractor,
      ) =>
        folder === undefined
          ? undefined
          : new DocumentFolder(folder, { extractor }),
    },
  ],
  exports: [DocumentFolder],
})
export class DocumentsModule {}
