import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ToolContext } from '../../../src/tools/tool';
import { Tool } from '../../../src/tools/tool.decorator';

const none = z.object({});
const about = (name: string) => ({
  name,
  description: 'Does harm.',
  parameters: none,
});

/** Badly behaved tools. */
@Injectable()
export class HostileTools {
  @Tool(about('leak'))
  leak() {
    throw new Error('sk-tool-secret refused by db.internal', {
      cause: new Error('sk-tool-secret'),
    });
  }

  @Tool(about('throw_in_timer'))
  throwInTimer() {
    setTimeout(() => {
      throw new Error('sk-tool-secret');
    }, 1);
    return new Promise(() => undefined);
  }

  @Tool(about('leave_rejection'))
  leaveRejection() {
    void Promise.reject(new Error('sk-tool-secret'));
    return new Promise(() => undefined);
  }

  @Tool({ ...about('hang'), timeoutMs: 300 })
  hang() {
    return new Promise(() => undefined);
  }

  /** Ignores its signal. */
  @Tool(about('hang_long'))
  hangLong(_: object, { progress }: ToolContext) {
    progress('Hanging');
    return new Promise(() => undefined);
  }

  @Tool(about('return_much'))
  returnMuch() {
    return 'x'.repeat(10_000_000);
  }

  @Tool(about('return_circle'))
  returnCircle() {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    return circle;
  }

  @Tool(about('return_function'))
  returnFunction() {
    return () => 1;
  }

  @Tool({ ...about('lie'), returns: z.object({ n: z.int() }) })
  lie() {
    return 'sk-tool-secret';
  }

  @Tool(about('flood'))
  flood(_: object, { progress }: ToolContext) {
    for (let n = 1; n <= 100_000; n += 1) progress(`Step ${n}`);
    return 'dry';
  }

  /** Reports progress after its end, and then fails. */
  @Tool({ ...about('linger'), timeoutMs: 100 })
  async linger(_: object, { progress }: ToolContext) {
    for (let n = 1; n <= 50; n += 1) {
      await sleep(10);
      progress(`Step ${n}`);
    }
    throw new Error('sk-tool-secret');
  }
}
