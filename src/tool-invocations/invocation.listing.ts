import { Injectable } from '@nestjs/common';
import { CallerIndex } from './caller.index';
import type { Status } from './invocation';
import type { InvocationRecord } from './invocation.record';
import { InvocationReader } from './invocation.reader';

/** Pages through the invocations of one caller. */
@Injectable()
export class InvocationListing {
  constructor(
    private readonly callers: CallerIndex,
    private readonly reader: InvocationReader,
  ) {}

  async page(
    caller: string,
    query: {
      status?: Status;
      tool_name?: string;
      limit: number;
      cursor?: string;
    },
  ): Promise<{ records: InvocationRecord[]; nextCursor: string | null }> {
    const found: InvocationRecord[] = [];
    let { cursor } = query;
    // One more than asked for tells whether there is a next page.
    while (found.length <= query.limit) {
      const ids = await this.callers.page(caller, cursor, query.limit + 1);
      if (ids.length === 0) break;
      cursor = ids.at(-1);
      const records = await Promise.all(ids.map((id) => this.reader.read(id)));
      const expired = ids.filter((_, i) => !records[i]);
      await this.callers.remove(caller, ...expired);
      found.push(
        ...records
          .filter((record) => record !== undefined)
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
}
