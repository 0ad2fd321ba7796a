import type { FunctionCall } from '../../llm/model.types';
import { parseCallArguments } from '../../message/call.arguments';
import type { ToolDescription } from '../../message/tool-description';
import type { Tool } from '../../tools/tool';
import type { ToolRegistry } from '../../tools/tool.registry';
import { type Agent, handoffOf } from '../loop/agents';
import type { ChatRequest } from '../dto/chat.dto';
import type { Turn } from '../loop/chat.turn';
import {
  ASK_USER,
  type Decision,
  isAnswer,
  needsApproval,
  questionOf,
  type RequiredAction,
} from './approvals';

/** What an agent may call in a chat: tools, other agents, and the user. */
export class Toolset {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly request: ChatRequest,
    /** What was said of the calls that waited for it. */
    private readonly decisions: ReadonlyMap<string, Decision>,
    /** Names of tools that are not for this chat, whatever it asks for. */
    private readonly without: readonly string[] = [],
  ) {}

  /** As the model is told of it. */
  functions(agent: Agent): ToolDescription[] {
    const mayAsk = this.asks && !this.hasAnswered([]);
    return [
      ...this.tools(agent).map(described),
      ...agent.handoffs,
      ...(mayAsk ? [ASK_USER] : []),
    ];
  }

  /** Names of those that the endpoint runs itself. */
  hosted(agent: Agent): readonly string[] {
    return this.wanted ? agent.hosted.filter((name) => this.takes(name)) : [];
  }

  /** Names of those that are run here. */
  toolNames(agent: Agent): string[] {
    return this.tools(agent).map(({ name }) => name);
  }

  find(agent: Agent, name: string): Tool | undefined {
    return this.wanted && this.takes(name) && isFree(agent, name)
      ? this.registry.callable(name)
      : undefined;
  }

  isQuestion({ name }: Pick<FunctionCall, 'name'>): boolean {
    return this.asks && name === ASK_USER.name;
  }

  /** Those calls of a turn that wait for a human, if any does. */
  awaited(agent: Agent, turn: Turn): RequiredAction | null {
    const { calls, results } = turn;
    const open = calls.filter(
      ({ callId }, at) => !results[at] && !this.decisions.has(callId),
    );
    const questions = open
      .filter((call) => this.isQuestion(call) && !this.hasAnswered(calls))
      .map((call) => ({ call_id: call.callId, question: questionOf(call) }));
    const approvals = open
      .filter((call) => this.mustBeApproved(agent, call, turn))
      .map((call) => ({
        call_id: call.callId,
        tool_name: call.name,
        arguments: parseCallArguments(call.arguments),
      }));
    const none = questions.length + approvals.length === 0;
    return none ? null : { approvals, questions };
  }

  mustBeApproved(agent: Agent, call: FunctionCall, turn: Turn): boolean {
    // Of a turn that another version of the service took, it is not known.
    const { foreignText = true } = turn;
    return needsApproval(this.find(agent, call.name), call, { foreignText });
  }

  /** Whether a turn is taken by a model that may have read what neither its user nor the operator wrote. */
  hasForeignText(agent: Agent, before: readonly Turn[]): boolean {
    const isOwn = (name: string): boolean => {
      const { source, annotations } = this.registry.find(name) ?? {};
      return source === 'builtin' && annotations?.openWorldHint === false;
    };
    return (
      bringsForeignText(this.request) ||
      this.hosted(agent).length > 0 ||
      before.some(
        ({ foreignText = true, results }) =>
          foreignText ||
          results.some(
            (made) =>
              made &&
              (made.outcome === 'reported' || made.outcome === 'failed') &&
              !isOwn(made.toolName),
          ),
      )
    );
  }

  /** What a model is told that called something else. */
  unknown(agent: Agent): string {
    const names = this.toolNames(agent);
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
    return this.registry
      .list()
      .filter(({ name }) => this.takes(name) && isFree(agent, name));
  }

  private takes(name: string): boolean {
    const { tools } = this.request;
    return !this.without.includes(name) && (tools?.includes(name) ?? true);
  }

  /** There are none where none were to be offered: a model may make up a call all the same. */
  private get wanted(): boolean {
    const { auto_tool_call, tool_choice } = this.request;
    return auto_tool_call !== false && tool_choice !== 'none';
  }

  private get asks(): boolean {
    return this.wanted && this.request.clarification === 'auto';
  }
}

/** Texts that its user need not have written. */
function bringsForeignText({ documents, context, messages }: ChatRequest) {
  return (
    Boolean(documents?.length) ||
    Boolean(context?.length) ||
    messages?.some(({ role }) => role === 'tool') === true
  );
}

/** Of the schema of a result, as JSON: more is not told. */
const MAX_RETURNS = 2_000;

const descriptions = new WeakMap<Tool, ToolDescription>();

/** With what it returns, for which functions have no field of their own. Made once for each tool. */
function described(tool: Tool): ToolDescription {
  const known = descriptions.get(tool);
  if (known) return known;
  const { offered, returns } = tool;
  const schema = returns && JSON.stringify(returns);
  const isShown = schema !== undefined && schema.length <= MAX_RETURNS;
  const description = `${offered.description}\nReturns JSON of this schema: ${schema}`;
  const made = isShown ? { ...offered, description } : offered;
  descriptions.set(tool, made);
  return made;
}

/** A tool named like a handoff of the agent cannot be told from it. */
function isFree(agent: Agent, name: string): boolean {
  return agent.uses(name) && handoffOf(agent, name) === undefined;
}
