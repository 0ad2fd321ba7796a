import type { AppConfig } from '../config/config';
import type { Tool } from '../tools/tool';
import type { Asked, CalledTool } from './called.tool';

type Call = Pick<Asked, 'arguments'> & { tool: Tool };

/** How many calls a chat may make, and which it has made already. */
export class CallBudget {
  private readonly counts = new Map<string, number>();
  private readonly repeatable = new Map<string, Promise<CalledTool>>();
  private total = 0;

  constructor(private readonly limits: AppConfig['tools']) {}

  /** The same call, if it was made and changes nothing if it is repeated: nothing is bought twice. */
  first(call: Call): Promise<CalledTool> | undefined {
    return this.repeatable.get(keyOf(call));
  }

  /** Counts a call. Says what is wrong, and counts nothing, if there were too many. */
  spend(name: string): string | undefined {
    const { maxCalls, maxCallsPerTool } = this.limits;
    const count = this.counts.get(name) ?? 0;
    if (count >= maxCallsPerTool)
      return `This tool was called ${count} times, and cannot be called again in this conversation.`;
    if (this.total >= maxCalls)
      return `Tools were called ${this.total} times, and cannot be called again in this conversation.`;
    this.counts.set(name, count + 1);
    this.total += 1;
    return undefined;
  }

  note(call: Call, made: Promise<CalledTool>): void {
    if (call.tool.annotations.idempotentHint)
      this.repeatable.set(keyOf(call), made);
  }

  /** Takes up what came of a call before this process had the chat. */
  takeUp(call: Call, made: CalledTool): void {
    if (!made.invocation || this.first(call)) return;
    this.note(call, Promise.resolve(made));
    this.spend(call.tool.name);
  }
}

function keyOf({ tool, arguments: args }: Call): string {
  return JSON.stringify([tool.name, args]);
}
