import { Injectable, Logger } from '@nestjs/common';
import { isRedisUnavailable } from '../../../platform/redis/redis-unavailable';
import { isFinal, type Status } from '../../../runs/record/run';
import { digitsOf, type IdPrefix } from '../../../runs/record/run-id';
import type { RunRecord } from '../../../runs/record/run-record';
import { RunReader } from '../../../runs/store/run-reader';
import {
  CallerRunsIndex,
  type CreatedIn,
} from '../../../runs/store/caller-runs-index';
import { CapacityStore } from '../../../runs/store/capacity.store';

const PREFIXES: readonly IdPrefix[] = ['inv_', 'chat_'];
/** Records that one request reads at the most; its page ends there. */
const MAX_READ = 1_000;
const BATCH = 100;

export interface RunsFilter {
  status?: Status | 'unfinished';
  code?: string;
  engine?: string;
  /** Created at least so long ago. */
  min_age_seconds?: number;
  order?: 'newest' | 'oldest';
}

export interface RunsPage {
  records: RunRecord[];
  /** The digits of the last id that was read, if there may be more. */
  nextCursor: string | null;
}

/** The runs of several callers in their order: ids sort by time, so the indexes of the callers are merged by them. */
@Injectable()
export class AllRunsListing {
  private readonly log = new Logger('AllRunsListing');

  constructor(
    private readonly callers: CallerRunsIndex,
    private readonly capacity: CapacityStore,
    private readonly reader: RunReader,
  ) {}

  async page(
    callers: readonly (string | undefined)[],
    filter: RunsFilter,
    limit: number,
    cursor?: string,
  ): Promise<RunsPage> {
    const records: RunRecord[] = [];
    const { min_age_seconds: age, order } = filter;
    const created: CreatedIn = {
      fromMs: 0,
      toMs: age === undefined ? Infinity : this.callers.now() - age * 1_000,
      isOldestFirst: order === 'oldest',
    };
    let last = cursor;
    for (let read = 0; read < MAX_READ; read += BATCH) {
      const ids = await this.idsAfter(callers, last, created);
      for (const record of await this.readAll(ids)) {
        if (record.createdMs >= created.toMs) continue;
        if (!fits(record, filter)) continue;
        if (records.length === limit)
          return { records, nextCursor: digitsOf(records.at(-1)!.id) };
        records.push(record);
      }
      if (ids.length < BATCH) return { records, nextCursor: null };
      last = digitsOf(ids.at(-1)!);
    }
    return { records, nextCursor: last ?? null };
  }

  /** Unfinished runs, as far as one request reads them. */
  async unfinished(): Promise<{ records: RunRecord[]; omitted: number }> {
    const ids = new Set<string>();
    let omitted = 0;
    // Redis gives its time in seconds here: none is so new that it is left out.
    for await (const page of this.capacity.olderThan(-1_000))
      for (const id of page) {
        if (ids.size < MAX_READ) ids.add(id);
        else if (!ids.has(id)) omitted += 1;
      }
    const records = await this.readAll([...ids]);
    return {
      records: records.filter(({ status }) => !isFinal(status)),
      omitted,
    };
  }

  /** The first of all indexes together. */
  private async idsAfter(
    callers: readonly (string | undefined)[],
    cursor: string | undefined,
    created: CreatedIn,
  ): Promise<string[]> {
    const pages = callers.flatMap((caller) =>
      PREFIXES.map((prefix) => {
        const from = cursor === undefined ? undefined : prefix + cursor;
        return this.callers.page(caller, from, BATCH, prefix, created);
      }),
    );
    const ids = (await Promise.all(pages)).flat();
    const later = created.isOldestFirst ? 1 : -1;
    ids.sort((a, b) => (digitsOf(a) < digitsOf(b) ? -later : later));
    return ids.slice(0, BATCH);
  }

  private async readAll(ids: readonly string[]): Promise<RunRecord[]> {
    const records = await Promise.all(ids.map((id) => this.read(id)));
    return records.filter((one) => one !== undefined);
  }

  /** What has expired, or cannot be read, is left out. */
  private async read(id: string): Promise<RunRecord | undefined> {
    try {
      return await this.reader.read(id);
    } catch (error) {
      if (isRedisUnavailable(error)) throw error;
      this.log.warn(`The record of ${id} cannot be read`);
      this.log.debug(error);
      return undefined;
    }
  }
}

function fits(
  record: RunRecord,
  { status, code, engine }: RunsFilter,
): boolean {
  if (engine !== undefined && record.engine !== engine) return false;
  if (code !== undefined && record.error?.code !== code) return false;
  if (status === 'unfinished') return !isFinal(record.status);
  return status === undefined || record.status === status;
}
