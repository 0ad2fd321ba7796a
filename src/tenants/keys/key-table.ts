import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { KeyHolder } from '../../platform/auth/caller';
import { type KeySettings, StoredKeys } from '../../platform/auth/stored-keys';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { isValid, opens, type StoredKey } from './key-record';
import { KeyStore } from './key.store';

/** A revocation acts in every process after this time. */
const CHECK_MS = 1_000;
/** During an outage of Redis the known keys stay valid for this long. */
const STALE_MS = 60_000;

/** All keys, in the memory of this process, so that a request with a valid key needs no call to Redis. */
@Injectable()
export class KeyTable
  extends StoredKeys
  implements OnModuleInit, OnApplicationShutdown
{
  private readonly log = new Logger('Keys');
  private readonly listeners: (() => void)[] = [];
  private keys = new Map<string, StoredKey>();
  private names = new Map<string, StoredKey[]>();
  private version?: string;
  private checkedAt = -Infinity;
  private refreshed = Promise.resolve();
  private timer?: NodeJS.Timeout;
  private isClosed = false;

  constructor(private readonly store: KeyStore) {
    super();
  }

  async onModuleInit(): Promise<void> {
    // A worker starts during an outage too.
    if (await this.store.connected()) await this.refresh();
    this.schedule();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  verify(id: string, hash: Buffer): KeyHolder | undefined {
    if (performance.now() - this.checkedAt > STALE_MS) return undefined;
    return holder(this.keys.get(id), hash, this.store.now());
  }

  async lookUp(id: string, hash: Buffer): Promise<KeyHolder | undefined> {
    const found = holder(await this.store.find(id), hash, this.store.now());
    // Its settings act from its first request on.
    if (found) await this.refresh();
    return found;
  }

  isValid(id: string): boolean {
    const key = this.keys.get(id);
    // One that was made a moment ago is valid.
    return key === undefined || isValid(key, this.store.now());
  }

  settingsOf(account: string | undefined): KeySettings {
    return this.keys.get(account ?? '') ?? {};
  }

  isEnded(name: string): boolean {
    return this.names.has(name) && !this.isActive(name);
  }

  isActive(name: string): boolean {
    const now = this.store.now();
    return this.names.get(name)?.some((key) => isValid(key, now)) ?? false;
  }

  onCheck(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** The revoked keys whose runs have to be ended still. */
  get ending(): StoredKey[] {
    return [...this.keys.values()].filter(
      ({ ending }) => ending?.done === false,
    );
  }

  /** Reads the keys if they have changed. An outage leaves them as they are. */
  refresh(): Promise<void> {
    // One after another: an older answer never replaces a newer one.
    this.refreshed = this.refreshed.then(() => this.check());
    return this.refreshed;
  }

  private async check(): Promise<void> {
    try {
      const askedAt = performance.now();
      if ((await this.store.version()) !== this.version) await this.load();
      this.checkedAt = askedAt;
    } catch (error) {
      if (!isRedisUnavailable(error)) this.log.error(error);
    }
    for (const listener of this.listeners) listener();
  }

  private async load(): Promise<void> {
    const { version, keys } = await this.store.all();
    this.keys = new Map(keys.map((key) => [key.id, key]));
    this.names = new Map();
    for (const key of keys)
      this.names.set(key.name, [...(this.names.get(key.name) ?? []), key]);
    this.version = version;
  }

  private schedule(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      void this.refresh().finally(() => this.schedule());
    }, CHECK_MS).unref();
  }
}

function holder(
  key: StoredKey | undefined,
  hash: Buffer,
  nowMs: number,
): KeyHolder | undefined {
  if (!key || !opens(key, hash, nowMs)) return undefined;
  const { id, name, scopes } = key;
  return { keyId: id, account: id, name, scopes };
}
