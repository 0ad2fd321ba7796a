import { Module } from '@nestjs/common';
import { SpendModule } from '../../spend/spend.module';
import { AdminUsageController } from '../usage/admin-usage.controller';
import { UsageController } from '../usage/usage.controller';
import { UsageReports } from '../usage/usage';
import { KeysController } from './keys.controller';

/** Keys and what they have used over HTTP, beside `KeysModule.forApi()`. */
@Module({
  imports: [SpendModule],
  controllers: [KeysController, AdminUsageController, UsageController],
  providers: [UsageReports],
})
export class KeysApiModule {}
