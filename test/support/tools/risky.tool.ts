import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ToolContext } from '../../../src/tools/tool';
import { Tool } from '../../../src/tools/tool.decorator';
import { noteDown, waitFor } from './plain.tool';

const word = z.object({ word: z.string().min(1) });
const fileArguments = z.object({ file: z.string() });

/** Tools that require approval. They log their calls through `plain.tool.ts`, which must be loaded too. */
@Injectable()
export class RiskyTools {
  @Tool({
    name: 'delete_note',
    description: 'Deletes a note.',
    parameters: word,
    annotations: { destructiveHint: true },
  })
  deleteNote(args: z.infer<typeof word>, context: ToolContext) {
    noteDown('delete_note', context, args);
    return `Deleted ${args.word}.`;
  }

  @Tool({
    name: 'send_note',
    description: 'Sends a note.',
    parameters: word,
    needsApproval: true,
  })
  sendNote(args: z.infer<typeof word>, context: ToolContext) {
    noteDown('send_note', context, args);
    return `Sent ${args.word}.`;
  }

  @Tool({
    name: 'wait_to_delete',
    description: 'Deletes once a file is there.',
    parameters: fileArguments,
    annotations: { destructiveHint: true },
  })
  waitToDelete(args: z.infer<typeof fileArguments>, context: ToolContext) {
    return waitFor('wait_to_delete', args, context);
  }
}
