import { Module } from '@nestjs/common';
import { AccountStore } from './account.store';
import { Budgets } from './budgets';
import { CallMeter } from './call-meter';

const providers = [AccountStore, Budgets, CallMeter];

/** The money of API keys. Of every process. */
@Module({ providers, exports: providers })
export class SpendModule {}
