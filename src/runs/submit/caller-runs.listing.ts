import { Injectable, Logger } from '@nestjs/common';
import { isRedisUnavailable } from '../../redis/redis-unavailable';
import { CallerRunsIndex } from './caller-runs.index';
import type { Status } from '../run';
import type { IdPrefix } from '../run-id';
import type { RunRecord } from '../record/run.record';
import { RunReader } from '../record/run.reader';

/** Pages through the invocations of one caller, or through its chats. */
@Injectable()
export class CallerRunsListing {
  private readonly log = new Logger('CallerRunsListing');

  constructor(
    private readonly callers: CallerRunsIndex,
    private readonly reader: RunReader,
  ) {}

  async page(
    caller: string | undefined,
    query: {
      status?: Status;
      tool_name?: string;
      limit: number;
      cursor?: string;
    },
    prefix: IdPrefix = 'inv_',
  ): Promise<{ records: RunRecord[]; nextCursor: string | null }> {
    const found: RunRecord[] = [];
    let { cursor } = query;
    // One more than requested shows whether there is a next page.
    while (found.length <= query.limit) {
      const size = query.limit + 1;
      const ids = await this.callers.page(caller, cursor, size, prefix);
      if (ids.length === 0) break;
      cursor = ids.at(-1);
      const records = await Promise.all(ids.map((id) => this.read(id)));
      const expired = ids.filter((_, i) => records[i] === undefined);
      await this.callers.remove(caller, ...expired);
      found.push(
        ...records
          .filter((record) => record !== undefined && record !== 'unreadable')
          .filter(({ status }) => !query.status || status === query.status)
          .filter(({ tool }) => !query.tool_name || tool === query.tool_name),
      );
    }
    const records = found.slice(0, query.limit);
    return {
      records,
      nextCursor: found.length > query.limit ? records.at(-1)!.id : null,
    };
  }

  /** One record that cannot be read is left out and kept; the others are listed. */
  private async read(
    id: string,
  ): Promise<RunRecord | 'unreadable' | undefined> {
    try {
      return await this.reader.read(id);
    } catch (error) {
      if (isRedisUnavailable(error)) throw error;
      this.log.warn(`The record of ${id} cannot be read`);
      this.log.debug(error);
      return 'unreadable';
    }
  }
}
