import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ContextOf, ToolContext } from '../../../src/tools/tool';
import { Tool } from '../../../src/tools/tool.decorator';
import { ToolError } from '../../../src/tools/tool-error';

const words = z.object({
  word: z.string().min(1).describe('What is written down.'),
  times: z.int().min(1).max(9).default(1),
});
const member = z.object({ member: z.object({ id: z.int() }) });
const fileArguments = z.object({
  file: z.string().describe('A file to wait for.'),
});

/** Each call appends a line to the file TOOL_DIARY. */
export function noteDown(tool: string, context: ToolContext, more = {}): void {
  const { tenant, requestId, invocationId, toolContext } = context;
  const about = { tenant, requestId, invocationId, toolContext };
  const line = { tool, ...about, ...more };
  appendFileSync(process.env.TOOL_DIARY!, `${JSON.stringify(line)}\n`);
}

/** Well-behaved tools. */
@Injectable()
export class PlainTools {
  @Tool({
    name: 'write_down',
    description: 'Writes a word down.',
    parameters: words,
    returns: z.object({ word: z.string(), times: z.int() }),
  })
  writeDown({ word, times }: z.infer<typeof words>, context: ToolContext) {
    noteDown('write_down', context, { word, times });
    context.progress('Writing', { progress: 1, total: 2 });
    return { word, times };
  }

  @Tool({
    name: 'say',
    description: 'Returns a word for the user.',
    parameters: words,
    returnDirect: true,
  })
  say({ word, times }: z.infer<typeof words>) {
    return Array.from({ length: times }, () => word).join(' ');
  }

  @Tool({
    name: 'find',
    description: 'Returns nothing.',
    parameters: words,
  })
  find({ word }: z.infer<typeof words>) {
    throw new ToolError('NOT_FOUND', `There is no ${word}.`);
  }

  @Tool({
    name: 'must_work',
    description: 'Fails.',
    parameters: words,
    onError: 'fail',
  })
  mustWork() {
    throw new Error('It does not.');
  }

  @Tool({
    name: 'sign_for',
    description: 'Signs for the member who asks.',
    parameters: z.object({}),
    context: member,
  })
  signFor(_: object, context: ContextOf<typeof member>) {
    noteDown('sign_for', context);
    return { signed: context.toolContext.member.id };
  }

  @Tool({
    name: 'tell_zone',
    description: 'Returns the time zone of the user.',
    parameters: z.object({ time_zone: z.string().optional() }),
  })
  returnZone({ time_zone }: { time_zone?: string }) {
    return { zone: time_zone ?? 'none' };
  }

  @Tool({
    name: 'wait_to_read',
    description: 'Reads once a file is there.',
    parameters: fileArguments,
    annotations: { readOnlyHint: true },
  })
  waitToRead(args: z.infer<typeof fileArguments>, context: ToolContext) {
    return waitFor('wait_to_read', args, context);
  }

  @Tool({
    name: 'wait_to_write',
    description: 'Writes once a file is there.',
    parameters: fileArguments,
  })
  waitToWrite(args: z.infer<typeof fileArguments>, context: ToolContext) {
    return waitFor('wait_to_write', args, context);
  }
}

export async function waitFor(
  tool: string,
  { file }: z.infer<typeof fileArguments>,
  context: ToolContext,
): Promise<string> {
  noteDown(tool, context);
  const { signal } = context;
  while (!existsSync(file)) {
    if (signal.aborted) {
      noteDown('stopped', context);
      signal.throwIfAborted();
    }
    await sleep(10);
  }
  return 'It is there.';
}
