import { Module } from '@nestjs/common';
import { RunStoreModule } from '../../runs/runs.module';
import { PagePurge } from './page-purge';
import { PurgeStore } from './purge.store';

/** Of every process: each can end a run whose pages are to be purged then. */
@Module({
  imports: [RunStoreModule],
  providers: [PurgeStore, PagePurge],
  exports: [PagePurge],
})
export class PurgeModule {}
