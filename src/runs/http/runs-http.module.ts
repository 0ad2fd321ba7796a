import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { RunsModule } from '../runs.module';
import { EventTickets } from './event.ticket';
import { RunGuard } from './run.guard';

/** Opens the record that a request names. Of API processes. */
@Module({
  imports: [AuthModule, RunsModule],
  providers: [EventTickets, RunGuard],
  exports: [AuthModule, RunsModule, EventTickets, RunGuard],
})
export class RunsHttpModule {}
