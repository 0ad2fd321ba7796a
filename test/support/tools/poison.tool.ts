import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Tool } from '../../../src/tools/tool.decorator';

/** Ends whatever process runs it. */
@Injectable()
export class PoisonTool {
  @Tool({
    name: 'poison',
    description: 'Does harm.',
    parameters: z.object({}),
    annotations: { readOnlyHint: true },
  })
  poison() {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  }
}
