import { Injectable, Logger } from '@nestjs/common';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { CallerRunsIndex } from '../store/caller-runs-index';
import type { IdPrefix } from '../record/run-id';
import { type RunRecord, toRecord } from '../record/run-record';
import { RunReader } from '../store/run-reader';
import {
  createdIn,
  filterOf,
  type RunFilter,
  type RunFilterQuery,
  type TextSearch,
  textSearchOf,
} from './run.filter';

/** Ids at a time. */
const SLICE = 100;
/** One request reads no more, however few of them are asked for; the cursor goes on from there. */
export const MAX_READ = 1_000;
/** The part of a report that is searched, in bytes. */
const MAX_SEARCHED = 100_000;
/** One request searches so much of reports; the cursor goes on from there. */
export const MAX_SEARCHED_IN_ALL = 10_000_000;
/** Reports that are searched between two turns of the event loop. */
const AT_ONCE = 10;

interface Wanted {
  filter: RunFilter;
  search: TextSearch | undefined;
  /** What may still be read of reports. */
  bytesLeft: number;
}

/** Pages through the invocations of one caller, or through its chats. */
@Injectable()
export class CallerRunsListing {
  private readonly log = new Logger('CallerRunsListing');

  constructor(
    private readonly callers: CallerRunsIndex,
    private readonly reader: RunReader,
  ) {}

  /** A page may have fewer records than requested, even none, and yet be followed by another. */
  async page(
    caller: string | undefined,
    query: RunFilterQuery & { limit: number; cursor?: string },
    prefix: IdPrefix = 'inv_',
  ): Promise<{ records: RunRecord[]; nextCursor: string | null }> {
    const filter = filterOf(query);
    const wanted: Wanted = {
      filter,
      search: textSearchOf(query),
      bytesLeft: MAX_SEARCHED_IN_ALL,
    };
    const created = createdIn(query);
    const found: string[] = [];
    let cursor = query.cursor;
    let left = MAX_READ;
    // One more than requested shows whether there is a next page.
    while (found.length <= query.limit && left > 0) {
      const ids = await this.callers.page(
        caller,
        cursor,
        SLICE,
        prefix,
        created,
      );
      const { matching, last } = await this.matching(caller, ids, wanted);
      found.push(...matching);
      const isEnd = ids.length < SLICE && last === ids.at(-1);
      cursor = isEnd ? undefined : last;
      left = isEnd || wanted.bytesLeft <= 0 ? 0 : left - SLICE;
    }
    const ids = found.slice(0, query.limit);
    const records = await Promise.all(
      ids.map((id) => this.attempt(id, () => this.reader.read(id))),
    );
    return {
      records: records
        .filter((record) => record !== undefined && record !== 'unreadable')
        // It may have changed meanwhile.
        .filter(filter),
      nextCursor: (found.length > ids.length ? ids.at(-1) : cursor) ?? null,
    };
  }

  /** Those of the filter. Others than those of a page are not read as a whole. */
  private async matching(
    caller: string | undefined,
    ids: readonly string[],
    wanted: Wanted,
  ): Promise<{ matching: string[]; last: string | undefined }> {
    const records = await Promise.all(
      ids.map((id) => this.attempt(id, () => this.readBrief(id))),
    );
    const expired = ids.filter((_, i) => records[i] === undefined);
    await this.callers.remove(caller, ...expired);
    const fitting = records.filter(
      (one): one is RunRecord =>
        one !== undefined && one !== 'unreadable' && wanted.filter(one),
    );
    if (!wanted.search)
      return { matching: fitting.map(({ id }) => id), last: ids.at(-1) };
    const matching: string[] = [];
    for (let at = 0; at < fitting.length; at += AT_ONCE) {
      const some = fitting.slice(at, at + AT_ONCE);
      const has = await Promise.all(some.map((one) => this.has(one, wanted)));
      matching.push(...some.filter((_, i) => has[i]).map(({ id }) => id));
      if (wanted.bytesLeft <= 0) return { matching, last: some.at(-1)!.id };
    }
    return { matching, last: ids.at(-1) };
  }

  /** In its question, or in its report as far as that is searched. */
  private async has(
    { id, status, question }: RunRecord,
    wanted: Wanted,
  ): Promise<boolean> {
    const search = wanted.search!;
    if (search(question ?? '')) return true;
    if (status !== 'completed' && status !== 'incomplete') return false;
    const text = await this.attempt(id, () =>
      this.reader.readText(id, MAX_SEARCHED),
    );
    wanted.bytesLeft -= text.length;
    return text !== 'unreadable' && search(text);
  }

  private async readBrief(id: string) {
    const { deleted, ...brief } = await this.reader.readSome(
      id,
      'status',
      'deleted',
      'tool',
      'question',
      'metadata',
      'created_ms',
    );
    return brief.status && deleted !== '1'
      ? toRecord(id, brief, null)
      : undefined;
  }

  /** One record that cannot be read is left out and kept; the others are listed. */
  private async attempt<T>(
    id: string,
    read: () => Promise<T>,
  ): Promise<T | 'unreadable'> {
    try {
      return await read();
    } catch (error) {
      if (isRedisUnavailable(error)) throw error;
      this.log.warn(`The record of ${id} cannot be read`);
      this.log.debug(error);
      return 'unreadable';
    }
  }
}
