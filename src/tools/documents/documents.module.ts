import { Module } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { DocumentFolder } from './document-folder';

/** The folder that the operator configured, indexed once per process; undefined without one. */
@Module({
  providers: [
    {
      provide: DocumentFolder,
      inject: [AppConfig],
      useFactory: ({ documents: { folder } }: AppConfig) =>
        folder === undefined ? undefined : new DocumentFolder(folder),
    },
  ],
  exports: [DocumentFolder],
})
export class DocumentsModule {}
