import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AuthModule } from '../../platform/auth/auth.module';
import { RunStoreModule } from '../../runs/runs.module';
import { SubmissionLimits } from '../../runs/submit/submission-limits';
import { FollowerLimits } from '../../runs/http/events/follower-limits';
import { FollowerLimiter } from './follower-limiter';
import { KeyLimits } from './account-limits';
import { RateStore } from './rate.store';
import { RequestLimits } from './request-limits';
import { SubmissionLimiter } from './submission-limiter';

const submissions = [
  KeyLimits,
  SubmissionLimiter,
  { provide: SubmissionLimits, useExisting: SubmissionLimiter },
];

/** What each key may use, for every room that submits runs and for every request. */
@Global()
@Module({})
export class LimitsModule {
  static forApi(): DynamicModule {
    return {
      module: LimitsModule,
      imports: [RunStoreModule, AuthModule],
      providers: [
        ...submissions,
        RateStore,
        RequestLimits,
        FollowerLimiter,
        { provide: FollowerLimits, useExisting: FollowerLimiter },
      ],
      exports: [SubmissionLimits, FollowerLimits],
    };
  }

  static forWorker(): DynamicModule {
    return {
      module: LimitsModule,
      imports: [RunStoreModule],
      providers: submissions,
      exports: [SubmissionLimits],
    };
  }
}
