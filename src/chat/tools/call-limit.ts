import type { AppConfig } from '../../config/config';
import type { Tool } from '../../tools/tool';
import { callKey } from './tool-call.key';
import { type Asked, type CompletedToolCall, isResearch } from './tool-call';
import type { ChatRequest } from '../dto/chat.dto';

type Call = Pick<Asked, 'arguments'> & { tool: Tool };

/** How many calls a chat may make, and which it has made already. */
export class CallLimit {
  private readonly counts = new Map<string, number>();
  private readonly repeatable = new Map<string, Promise<CompletedToolCall>>();
  private readonly maxResearch: number;
  private research = 0;
  private total = 0;

  constructor(
    private readonly limits: AppConfig['tools'],
    private readonly request: ChatRequest,
  ) {
    this.maxResearch = maxResearchOf(request, limits);
  }

  /** The same call, if it was made and changes nothing if it is repeated: nothing is bought twice. */
  first({
    tool,
    arguments: args,
  }: Call): Promise<CompletedToolCall> | undefined {
    if (!tool.annotations.idempotentHint) return undefined;
    return this.repeatable.get(callKey(tool, args, this.request));
  }

  /** Counts a call. Says what is wrong, and counts nothing, if there were too many. */
  spend(name: string): string | undefined {
    const { maxCalls, maxCallsPerTool } = this.limits;
    const count = this.counts.get(name) ?? 0;
    const buys = isResearch({ toolName: name });
    if (buys && this.research >= this.maxResearch)
      return `Research was done ${this.research} times, which is all that this conversation may ask for. Answer from what is known so far.`;
    if (count >= maxCallsPerTool)
      return `This tool was called ${count} times, and cannot be called again in this conversation.`;
    if (this.total >= maxCalls)
      return `Tools were called ${this.total} times, and cannot be called again in this conversation.`;
    this.counts.set(name, count + 1);
    this.total += 1;
    if (buys) this.research += 1;
    return undefined;
  }

  note(call: Call, made: Promise<CompletedToolCall>): void {
    const { tool, arguments: args } = call;
    if (tool.annotations.idempotentHint)
      this.repeatable.set(callKey(tool, args, this.request), made);
    if (!isResearch({ toolName: tool.name })) return;
    // What was not begun has bought nothing.
    const giveBack = (began: boolean): void => {
      if (!began) this.research -= 1;
    };
    made.then(
      ({ invocation }) => giveBack(invocation !== null),
      () => giveBack(false),
    );
  }

  /** Takes up what came of a call before this process had the chat. */
  takeUp(call: Call, made: CompletedToolCall): void {
    if (!made.invocation || this.first(call)) return;
    this.note(call, Promise.resolve(made));
    this.spend(call.tool.name);
  }
}

/** How often a chat may ask for research: a request may ask for less than what is configured. */
export function maxResearchOf(
  { max_research }: ChatRequest,
  { maxResearch }: Pick<AppConfig['tools'], 'maxResearch'>,
): number {
  return Math.min(max_research ?? maxResearch, maxResearch);
}
