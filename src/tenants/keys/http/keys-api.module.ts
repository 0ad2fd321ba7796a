import { Module } from '@nestjs/common';
import { RunStoreModule } from '../../../runs/runs.module';
import { SpendModule } from '../../spend/spend.module';
import { AdminUsageController } from '../usage/admin-usage.controller';
import { UsageController } from '../usage/usage.controller';
import { UsageReports } from '../usage/usage';
import { AdminRunsController } from '../runs/admin-runs.controller';
import { CancelReasonStore } from '../runs/cancel-reason.store';
import { AllRunsListing } from '../runs/all-runs-listing';
import { KeysController } from './keys.controller';

/** Keys and what they have used over HTTP, beside `KeysModule.forApi()`. */
@Module({
  imports: [RunStoreModule, SpendModule],
  controllers: [
    KeysController,
    AdminUsageController,
    AdminRunsController,
    UsageController,
  ],
  providers: [UsageReports, AllRunsListing, CancelReasonStore],
})
export class KeysApiModule {}
