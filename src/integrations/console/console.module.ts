import { Module } from '@nestjs/common';
import { FrontPageController } from './front-page.controller';

/** The web page of the service. */
@Module({ controllers: [FrontPageController] })
export class ConsoleModule {}
