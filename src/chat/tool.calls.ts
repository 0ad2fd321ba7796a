import type { AppConfig } from '../config/config';
import type { CalledTurn, FunctionCall } from '../llm/model.answer';
import { parseCallArguments } from '../message/call.arguments';
import type { Tool } from '../tools/tool';
import type { ToolRegistry } from '../tools/tool.registry';
import { type CalledTool, refused } from './called.tool';
import { isDirect, isSettled, toolCall } from './chat.reply';
import type { CallWatcher, ChatContext, ToolCaller } from './tool.caller';

/** The tool calls of one chat: which are made, when, and how many. */
export class ToolCalls {
  /** In the order in which they were asked for, whichever ended first. */
  readonly made: CalledTool[] = [];
  /** The last turn, if its results are the answer. */
  direct: readonly CalledTool[] = [];
  /** Those that are offered when the chat begins. */
  readonly tools: readonly Tool[];
  private readonly counts = new Map<string, number>();
  private readonly repeatable = new Map<string, Promise<CalledTool>>();
  private total = 0;

  constructor(
    private readonly caller: ToolCaller,
    private readonly registry: ToolRegistry,
    private readonly limits: AppConfig['tools'],
    private readonly context: ChatContext,
    private readonly gone: AbortSignal,
  ) {
    this.tools = this.available();
  }

  /**
   * All calls of a turn at once, but for those that may destroy something: each of these waits for the one before.
   * @throws the reason of `gone`, and nothing else.
   */
  async callTools(calls: readonly FunctionCall[]): Promise<CalledTurn> {
    this.gone.throwIfAborted();
    let before: Promise<unknown> = Promise.resolve();
    const turn = await Promise.all(
      calls.map((call) => {
        // By name, now: tools come and go with the servers that offer them.
        const tool = this.find(call.name);
        if (!tool?.annotations.destructiveHint) return this.tell(call, tool);
        const mine = before.then(() => this.tell(call, tool));
        before = mine;
        return mine;
      }),
    );
    this.made.push(...turn);
    if (isDirect(turn)) this.direct = turn;
    return {
      outputs: turn.map(({ output }) => output),
      done: isSettled(this.made) || isDirect(turn),
    };
  }

  /** Makes a call and tells of it: that it was made, what its invocation does, and what it gave. */
  private async tell(
    call: FunctionCall,
    tool: Tool | undefined,
  ): Promise<CalledTool> {
    const { tell } = this.context;
    if (!tell) return this.call(call, tool);
    const { callId: call_id, name, arguments: written } = call;
    let begun = false;
    const watcher: CallWatcher = {
      began: (invocation) => {
        begun = true;
        const args = parseCallArguments(written);
        const asked = { callId: call_id, toolName: name, arguments: args };
        tell({ type: 'tool_call', data: toolCall({ ...asked, invocation }) });
      },
      event: (invocation_id, { type, status, data }) =>
        tell({
          type: 'tool_progress',
          data: {
            call_id,
            invocation_id,
            type,
            status,
            data: JSON.parse(data) as unknown,
          },
        }),
    };
    const made = await this.call(call, tool, watcher);
    if (!begun) watcher.began(made.invocation);
    const contents = made.output;
    tell({ type: 'tool_result', data: { ...toolCall(made), contents } });
    return made;
  }

  private async call(
    { callId, name, arguments: written }: FunctionCall,
    tool: Tool | undefined,
    watcher?: CallWatcher,
  ): Promise<CalledTool> {
    this.gone.throwIfAborted();
    const args = parseCallArguments(written);
    const asked = { callId, toolName: name, tool, arguments: args };
    if (!tool) return refused(asked, 'UNKNOWN_TOOL', this.unknown());
    // What changes nothing if it is repeated is not repeated: nothing is bought twice.
    const key = tool.annotations.idempotentHint && JSON.stringify([name, args]);
    const first = key ? this.repeatable.get(key) : undefined;
    if (first) return { ...(await first), callId };
    const limit = this.reached(name);
    if (limit) return refused(asked, 'LIMIT_REACHED', limit);
    const made = this.caller.call({ ...asked, tool }, this.context, watcher);
    if (key) this.repeatable.set(key, made);
    return made;
  }

  /** Counts a call, unless there were too many. */
  private reached(name: string): string | undefined {
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

  /** There are none where none were to be offered: a model may make up a call all the same. */
  private get wanted(): boolean {
    return this.context.request.auto_tool_call !== false;
  }

  private available(): Tool[] {
    return this.wanted ? this.registry.list() : [];
  }

  private find(name: string): Tool | undefined {
    return this.wanted ? this.registry.callable(name) : undefined;
  }

  private unknown(): string {
    const names = this.available().map(({ name }) => name);
    if (names.length === 0) return 'There are no tools.';
    return `There is no tool of this name. There is: ${names.join(', ')}.`;
  }
}
