import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CallerAccessModule } from '../../platform/auth/caller-access.module';
import { StoredKeys } from '../../platform/auth/stored-keys';
import { RunStoreModule } from '../../runs/runs.module';
import { SpendModule } from '../spend/spend.module';
import { KeyAdmin } from './key-admin';
import { KeyStore } from './key.store';
import { KeyTable } from './key-table';
import { KeysCheckup } from './keys-checkup';
import { RevokedRuns } from './revoked-runs';

const table = [
  KeyStore,
  KeyTable,
  { provide: StoredKeys, useExisting: KeyTable },
];

/** The keys of Redis, for every room that asks for `StoredKeys`. */
@Global()
@Module({})
export class KeysModule {
  static forApi(): DynamicModule {
    return {
      module: KeysModule,
      providers: [...table, KeyAdmin],
      exports: [StoredKeys, KeyTable, KeyAdmin],
    };
  }

  static forWorker(): DynamicModule {
    return {
      module: KeysModule,
      imports: [RunStoreModule, CallerAccessModule],
      providers: [...table, RevokedRuns],
      exports: [StoredKeys],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: KeysModule,
      imports: [SpendModule],
      providers: [KeyStore, KeysCheckup],
      exports: [KeysCheckup],
    };
  }

  /** Administration alone. */
  static forCommands(): DynamicModule {
    return {
      module: KeysModule,
      providers: [KeyStore, KeyAdmin],
      exports: [KeyAdmin],
    };
  }
}
