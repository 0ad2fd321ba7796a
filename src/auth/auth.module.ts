import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard';

/** Guards every route of the application it is imported into. */
@Module({ providers: [ApiKeyGuard], exports: [ApiKeyGuard] })
export class AuthModule {}
