import { Module } from '@nestjs/common';
import { AuthModule } from '../../platform/auth/auth.module';
import { CallerAccessModule } from '../../platform/auth/caller-access.module';
import { RunsModule } from '../runs.module';
import { JoinedRuns } from '../repeats/joined-runs';
import { EventTickets } from './events/event-ticket';
import { OwnedRuns } from './owned-runs';
import { RunGuard } from './run.guard';

/** Opens the record that a request names, or that it repeats. Of API processes. */
@Module({
  imports: [AuthModule, CallerAccessModule, RunsModule],
  providers: [EventTickets, JoinedRuns, OwnedRuns, RunGuard],
  exports: [
    AuthModule,
    RunsModule,
    EventTickets,
    JoinedRuns,
    OwnedRuns,
    RunGuard,
  ],
})
export class RunsHttpModule {}
