import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { InvocationJob } from './invocation.queue';
import { QueueCarrier } from './queue.carrier';
import { TOOL_QUEUE } from './tool.queue';

/** Who brings the invocations of a tool to its workers: also of a tool that is no longer there. */
@Injectable()
export class Carriers {
  private readonly own = new Map<string, QueueCarrier>();
  private readonly others: QueueCarrier;

  constructor(@InjectQueue(TOOL_QUEUE) queue: Queue<InvocationJob>) {
    this.others = new QueueCarrier(queue, TOOL_QUEUE);
  }

  /** For a tool that has a queue of its own. */
  register(tool: string, carrier: QueueCarrier): void {
    this.own.set(tool, carrier);
  }

  all(): QueueCarrier[] {
    return [...new Set([...this.own.values(), this.others])];
  }

  of(tool: string): QueueCarrier {
    return this.own.get(tool) ?? this.others;
  }
}
