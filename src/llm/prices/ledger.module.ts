import { Module } from '@nestjs/common';
import { PriceTable } from './price-table';

@Module({ providers: [PriceTable], exports: [PriceTable] })
export class LedgerModule {}
