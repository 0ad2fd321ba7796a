import type { KeyHolder } from './caller';

/** What an administrator may set of a key besides its scopes. Absent members have the defaults of the service. */
export interface KeySettings {
  /** Whole numbers, by the name of the limit. */
  readonly limits?: Readonly<Record<string, number>>;
  /** In US dollars, of a day and a month by UTC. */
  readonly budget?: { readonly day_usd?: number; readonly month_usd?: number };
  /** Of its turns at a model beside those of other keys, 1 to 100. */
  readonly weight?: number;
  /** For how long its records are kept after their end. */
  readonly retention_seconds?: number;
  /** Whether its runs of high priority come before those of other keys. */
  readonly precedence?: boolean;
}

/** The keys that are made while the service runs. A process that provides none accepts none. */
export abstract class StoredKeys {
  /** The caller whose valid key has this id and hash, by what this process knows. */
  abstract verify(id: string, hash: Buffer): KeyHolder | undefined;

  /** The same by what Redis has now: for a key that was made or replaced a moment ago. Rejects during an outage. */
  abstract lookUp(id: string, hash: Buffer): Promise<KeyHolder | undefined>;

  /** Whether a key is valid, by what this process knows. */
  abstract isValid(id: string): boolean;

  /** Of the account of a caller, by what this process knows; none for a configured key. */
  abstract settingsOf(account: string | undefined): KeySettings;

  /** Whether keys with this name were made and none of them is valid any more. */
  abstract isEnded(name: string): boolean;

  /** Whether a key of this name is valid. */
  abstract isActive(name: string): boolean;

  /** Reads the keys anew if they have changed. An outage leaves them as they are. */
  abstract refresh(): Promise<void>;

  /** Calls `listener` about every second, since keys may have become invalid. */
  abstract onCheck(listener: () => void): void;
}
