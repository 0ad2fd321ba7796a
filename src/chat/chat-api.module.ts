import { Module } from '@nestjs/common';
import { ChatController } from './chat.controller';
import { ChatModule } from './chat.module';

/** Chat over HTTP. */
@Module({ imports: [ChatModule], controllers: [ChatController] })
export class ChatApiModule {}
