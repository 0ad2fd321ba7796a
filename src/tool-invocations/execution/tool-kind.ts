import { BullModule, InjectQueue } from '@nestjs/bullmq';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { RunDispatcher } from '../../runs/queue/run-dispatcher';
import type { RunJob } from '../../runs/queue/run-queue';
import { RunKinds } from '../../runs/queue/run-kinds';
import { RunStoreModule } from '../../runs/runs.module';
import { parseArguments } from '../../tools/schemas/parse-arguments';
import { ToolRegistry } from '../../tools/tool-registry';
import { ToolsModule } from '../../tools/tools.module';

/** The queue of all tools without one of their own. Its jobs have its name, whatever the tool. */
export const TOOL_QUEUE = 'tools';

/** The default kind of run: an invocation of any tool. */
@Injectable()
export class ToolKind implements OnModuleInit {
  private readonly dispatcher: RunDispatcher;

  constructor(
    @InjectQueue(TOOL_QUEUE) queue: Queue<RunJob>,
    private readonly kinds: RunKinds,
    private readonly registry: ToolRegistry,
  ) {
    // Here, because an outage before its error listener is printed by BullMQ.
    this.dispatcher = new RunDispatcher(queue, TOOL_QUEUE);
  }

  onModuleInit(): void {
    this.kinds.registerDefault({
      name: TOOL_QUEUE,
      dispatcher: this.dispatcher,
      parse: (tool, args, found) =>
        parseArguments(this.registry.get(tool), args, found),
    });
  }
}

@Module({
  imports: [
    RunStoreModule,
    ToolsModule,
    BullModule.registerQueue({ name: TOOL_QUEUE }),
  ],
  providers: [ToolKind],
  exports: [RunStoreModule, BullModule],
})
export class ToolKindModule {}
