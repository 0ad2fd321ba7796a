import { Global, Module } from '@nestjs/common';
import { Shutdown } from './shutdown';

@Global()
@Module({ providers: [Shutdown], exports: [Shutdown] })
export class HttpModule {}
