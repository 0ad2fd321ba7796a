import { Module } from '@nestjs/common';
import { CallerAccess } from './caller-access';

/** Whether callers may still act. Of every process. */
@Module({ providers: [CallerAccess], exports: [CallerAccess] })
export class CallerAccessModule {}
