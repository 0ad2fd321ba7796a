import type { FunctionCall } from '../llm/model.answer';
import { parseCallArguments } from '../message/call.arguments';
import type { ToolDescription } from '../message/tool-description';
import type { Tool } from '../tools/tool';
import type { ToolRegistry } from '../tools/tool.registry';
import { type Agent, handoffOf } from './agents';
import type { ChatRequest } from './chat.dto';
import type { Turn } from './chat.turn';
import {
  ASK_USER,
  type Decision,
  isAnswer,
  needsApproval,
  questionOf,
  type RequiredAction,
} from './human';

/** What an agent may call in a chat: tools, other agents, and the user. */
export class Offer {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly request: ChatRequest,
    /** What was said of the calls that waited for it. */
    private readonly decisions: ReadonlyMap<string, Decision>,
  ) {}

  /** As the model is told of it. */
  functions(agent: Agent): ToolDescription[] {
    const mayAsk = this.asks && !this.hasAnswered([]);
    return [
      ...this.tools(agent).map(({ offered }) => offered),
      ...agent.handoffs,
      ...(mayAsk ? [ASK_USER] : []),
    ];
  }

  /** Names of those that the endpoint runs itself. */
  hosted(agent: Agent): readonly string[] {
    return this.wanted ? agent.hosted : [];
  }

  find(agent: Agent, name: string): Tool | undefined {
    return this.wanted && isFree(agent, name)
      ? this.registry.callable(name)
      : undefined;
  }

  isQuestion({ name }: Pick<FunctionCall, 'name'>): boolean {
    return this.asks && name === ASK_USER.name;
  }

  /** Those calls of a turn that wait for a human, if any does. */
  awaited(agent: Agent, { calls, results }: Turn): RequiredAction | null {
    const open = calls.filter(
      ({ callId }, at) => !results[at] && !this.decisions.has(callId),
    );
    const questions = open
      .filter((call) => this.isQuestion(call) && !this.hasAnswered(calls))
      .map((call) => ({ call_id: call.callId, question: questionOf(call) }));
    const approvals = open
      .filter(({ name }) => needsApproval(this.find(agent, name)))
      .map((call) => ({
        call_id: call.callId,
        tool_name: call.name,
        arguments: parseCallArguments(call.arguments),
      }));
    const none = questions.length + approvals.length === 0;
    return none ? null : { approvals, questions };
  }

  /** What a model is told that called something else. */
  unknown(agent: Agent): string {
    const names = this.tools(agent).map(({ name }) => name);
    if (names.length === 0) return 'There are no tools.';
    return `There is no tool of this name. There is: ${names.join(', ')}.`;
  }

  /** Once: who was asked in another turn than that of `calls` has said what there is to say. */
  private hasAnswered(calls: readonly FunctionCall[]): boolean {
    const here = new Set(calls.map(({ callId }) => callId));
    return [...this.decisions].some(
      ([callId, one]) => isAnswer(one) && !here.has(callId),
    );
  }

  private tools(agent: Agent): Tool[] {
    if (!this.wanted) return [];
    return this.registry.list().filter(({ name }) => isFree(agent, name));
  }

  /** There are none where none were to be offered: a model may make up a call all the same. */
  private get wanted(): boolean {
    return this.request.auto_tool_call !== false;
  }

  private get asks(): boolean {
    return this.wanted && this.request.clarification === 'auto';
  }
}

/** A tool named like a handoff of the agent cannot be told from it. */
function isFree(agent: Agent, name: string): boolean {
  return agent.uses(name) && handoffOf(agent, name) === undefined;
}
