import { Module } from '@nestjs/common';
import { FailedLogins } from './failed-logins';

/** One count of an address for keys and passwords. Of API processes. */
@Module({ providers: [FailedLogins], exports: [FailedLogins] })
export class FailedLoginsModule {}
