import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard';
import { CallerAccessModule } from './caller-access.module';
import { FailedLoginsModule } from './failed-logins.module';

/** Guards every route of the application it is imported into. */
@Module({
  imports: [CallerAccessModule, FailedLoginsModule],
  providers: [ApiKeyGuard],
  exports: [ApiKeyGuard],
})
export class AuthModule {}
