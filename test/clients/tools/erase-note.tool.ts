import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Tool } from '../../../src/tools/tool.decorator';

const note = z.object({ name: z.string().min(1) });

/** A tool of the stand that requires approval. */
@Injectable()
export class EraseNoteTool {
  @Tool({
    name: 'erase_note',
    description: 'Erases a note.',
    parameters: note,
    annotations: { destructiveHint: true },
  })
  eraseNote({ name }: z.infer<typeof note>): string {
    return `Erased ${name}.`;
  }
}
