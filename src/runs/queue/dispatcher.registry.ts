import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { RunJob } from './run.queue';
import { RunDispatcher } from './run.dispatcher';
import { TOOL_QUEUE } from '../../tool-invocations/execution/tool.queue';

/** Who brings the invocations of a tool to its workers: also of a tool that is no longer there. */
@Injectable()
export class DispatcherRegistry {
  private readonly own = new Map<string, RunDispatcher>();
  private readonly others: RunDispatcher;

  constructor(@InjectQueue(TOOL_QUEUE) queue: Queue<RunJob>) {
    this.others = new RunDispatcher(queue, TOOL_QUEUE);
  }

  /** For a tool that has a queue of its own. */
  register(tool: string, carrier: RunDispatcher): void {
    this.own.set(tool, carrier);
  }

  all(): RunDispatcher[] {
    return [...new Set([...this.own.values(), this.others])];
  }

  of(tool: string): RunDispatcher {
    return this.own.get(tool) ?? this.others;
  }
}
