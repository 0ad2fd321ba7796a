import { Module } from '@nestjs/common';
import { RunStoreModule } from '../../../runs/runs.module';
import { SpendModule } from '../../spend/spend.module';
import { RunSettlement } from './run-settlement';

/** Of every process that settles the end of runs. */
@Module({ imports: [RunStoreModule, SpendModule], providers: [RunSettlement] })
export class SettlementModule {}
