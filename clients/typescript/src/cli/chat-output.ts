import type { ChatReply, ToolCall } from '../chat-types.js';
import type { MessageDelta } from '../delta.js';
import type { ChatEvent } from '../event-types.js';
import { RESEARCH_FAILED } from '../tool-calling.js';
import { activeRun as activeToolRun } from './research.js';
import type { WithSonde } from './run.js';

/** Prints the events and the reply of a chat, each item once. */
export class ChatOutput {
  private readonly tools = new Set<string>();
  private readonly calls = new Set<string>();
  private chatId: string | null = null;
  private index: number | undefined;
  /** Text of the last part of the stream. */
  private part = '';

  /** `onRecord`: the chat is stored and continues without this process. */
  constructor(
    private readonly run: WithSonde,
    private readonly onRecord: boolean,
  ) {}

  event(event: ChatEvent): void {
    if (event.type === 'tool_call') this.onToolCall(event.data);
    if (event.type === 'tool_result' && !this.onRecord)
      this.run.interrupt.untrack();
    if (event.type !== 'tool_progress') return;
    const { type, data } = progressOf(event.data);
    if (type === 'progress') this.run.output.progress(data);
  }

  /** Prints a piece of the answer. Each turn of the model is a separate part. */
  delta({ contents = [] }: MessageDelta): void {
    for (const part of contents) {
      if (part.type !== 'text' || !part.text) continue;
      if (part.index !== this.index) this.startPart();
      this.index = part.index;
      this.part += part.text;
      this.run.output.write(part.text);
    }
  }

  record({ chat_id, invocation_token }: ChatReply): void {
    if (this.chatId !== null || chat_id === null) return;
    this.chatId = chat_id;
    this.run.output.field('chat_id', chat_id);
    this.run.output.field('invocation_token', invocation_token);
  }

  reply(reply: ChatReply): void {
    const { output } = this.run;
    const called = reply.tool_calls.filter(({ invocation_id: id }) => id);
    for (const { tool_name } of called) this.tool(tool_name);
    output.field('response_id', reply.response_id);
    this.record(reply);
    for (const call of called) this.call(call);
  }

  /** Prints what the stream did not contain, reports failures and returns the exit code. */
  end(reply: ChatReply): number {
    const { flags, output } = this.run;
    const content = reply.content ?? '';
    if (flags.json) {
      if (!flags.stream) output.write(JSON.stringify(reply));
    } else if (content !== '' && content !== this.part) {
      this.startPart();
      output.write(content);
    }
    const { status, error, guardrail, required_action } = reply;
    const failures = reply.tool_calls.filter(({ error: cause }) => cause);
    for (const call of failures) output.log(`sonde: ${failureOf(call)}`);
    if (status === 'requires_action') {
      for (const { tool_name, arguments: args } of required_action?.approvals ??
        [])
        output.log(`approval required: ${tool_name} ${JSON.stringify(args)}`);
      for (const { question } of required_action?.questions ?? [])
        output.log(`answer required: ${question}`);
      return 5;
    }
    // Older services complete such a chat.
    const researchFailed = content === RESEARCH_FAILED;
    if (status === 'completed' && !error && !guardrail && !researchFailed)
      return 0;
    if (status === 'cancelled') output.log('sonde: the chat was cancelled');
    else if (guardrail)
      output.log(`sonde: the chat was refused: ${guardrail.name}`);
    else if (status === 'completed' && error)
      output.log(`sonde: the chat ended early: ${error.code}`);
    else if (failures.some(({ error: cause }) => cause?.code === error?.code))
      return 1;
    else if (researchFailed) output.log('sonde: the research failed');
    else output.log(`sonde: the chat failed: ${error?.message ?? status}`);
    return 1;
  }

  /** A chat that is not stored stops with this process; only the runs of its tools continue. */
  private onToolCall(call: ToolCall): void {
    this.call(call);
    const { invocation_id, invocation_token } = call;
    if (this.onRecord || invocation_id === null) return;
    this.run.interrupt.track(
      activeToolRun(this.run, { invocation_id, invocation_token }),
    );
  }

  private call(call: ToolCall): void {
    if (call.invocation_id === null || this.calls.has(call.call_id)) return;
    this.calls.add(call.call_id);
    this.tool(call.tool_name);
    this.run.output.field('invocation_id', call.invocation_id);
    this.run.output.field('invocation_token', call.invocation_token);
  }

  private tool(name: string): void {
    if (this.tools.has(name)) return;
    this.tools.add(name);
    this.run.output.log(`[${name} was called automatically]`);
  }

  private startPart(): void {
    if (this.run.output.text !== '') this.run.output.write('\n\n');
    this.part = '';
  }
}

function failureOf({ tool_name, status, error }: ToolCall): string {
  const tool = tool_name === 'deep_research' ? 'the research' : tool_name;
  return status === 'incomplete'
    ? `${tool} ended early: ${error?.code}`
    : `${tool} failed: ${error?.message}`;
}

function progressOf(event: Record<string, unknown>) {
  return event as { type?: string; data: { kind: string; detail: string } };
}
