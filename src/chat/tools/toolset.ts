import { allowsTool, type Scopes } from '../../platform/auth/scopes';
import type { FunctionCall } from '../../llm/turns/model.types';
import { parseCallArguments } from '../../platform/message/call-arguments';
import type { ToolDescription } from '../../platform/message/tool-description';
import { contextFaults } from '../../tools/schemas/context-schema';
import type { Tool } from '../../tools/tool';
import type { ToolRegistry } from '../../tools/tool-registry';
import { type Agent, calledAgentOf, handoffOf } from '../turns/chat-agents';
import type { ChatRequest } from '../dto/chat.dto';
import type { Turn } from '../turns/chat-turn';
import {
  type CompletedToolCall,
  refusedCall,
  type RequestedCall,
} from '../turns/tool-call';
import {
  ASK_USER,
  type Decision,
  isAnswer,
  needsApproval,
  questionOf,
  type RequiredAction,
} from './approvals';
import { CallerFunctions } from './caller-functions';
import { withResult } from './result-schema';

/**
 * The functions that an agent may call in a chat: tools, other agents, handoffs to other agents, questions to the user, and
 * functions of the caller, which take precedence over a tool that appears under the same name while the chat runs. An agent
 * that is called has none of the caller's: a history that hands one back could not continue it.
 */
export class Toolset {
  private readonly callers?: CallerFunctions;

  constructor(
    private readonly registry: ToolRegistry,
    private readonly request: ChatRequest,
    /** The decisions of the user, by call id. */
    private readonly decisions: ReadonlyMap<string, Decision>,
    /** Names of tools that this chat must not call, whatever it requests. */
    private readonly excluded: readonly string[] = [],
    /** Of the API key of the chat. */
    private readonly scopes?: Scopes,
  ) {
    if (request.functions?.length && this.isEnabled)
      this.callers = new CallerFunctions(request.functions);
  }

  /** The function definitions for the model. */
  functions(agent: Agent): ToolDescription[] {
    const mayAsk = this.allowsQuestions && !this.hasAnswered([]);
    return [
      ...this.tools(agent).map(withResultSchema),
      ...this.agentTools(agent).map(({ offered }) => offered),
      ...agent.handoffs,
      ...(mayAsk ? [ASK_USER] : []),
      ...(this.callersFor(agent)?.descriptions ?? []),
    ];
  }

  /** Names of the tools that the model endpoint runs. */
  hosted(agent: Agent): readonly string[] {
    return this.isEnabled
      ? agent.hosted.filter((name) => this.allows(name))
      : [];
  }

  /** Names of the tools that this service runs, of the agents to call, and of the functions of the caller. */
  toolNames(agent: Agent): string[] {
    const tools = [
      ...this.tools(agent),
      ...this.agentTools(agent),
      ...(this.callersFor(agent)?.descriptions ?? []),
    ];
    return tools.map(({ name }) => name);
  }

  /** Whether the caller of the chat runs this call. */
  handsBack(agent: Agent, call: FunctionCall): boolean {
    return this.callersFor(agent)?.handsBack(call) ?? false;
  }

  find(agent: Agent, name: string): Tool | undefined {
    if (calledAgentOf(agent, name))
      return this.agentTools(agent).find((tool) => tool.name === name);
    return this.isEnabled && this.allows(name) && mayCall(agent, name)
      ? this.registry.callable(name)
      : undefined;
  }

  isQuestion({ name }: Pick<FunctionCall, 'name'>): boolean {
    return this.allowsQuestions && name === ASK_USER.name;
  }

  /** The calls of a turn that need a decision of the user; null if none does. */
  requiredAction(agent: Agent, turn: Turn): RequiredAction | null {
    const { calls, results } = turn;
    const open = calls.filter(
      ({ callId }, at) => !results[at] && !this.decisions.has(callId),
    );
    const questions = open
      .filter((call) => this.isQuestion(call) && !this.hasAnswered(calls))
      .map((call) => ({ call_id: call.callId, question: questionOf(call) }));
    const approvals = open
      .filter((call) => this.needsApproval(agent, call, turn))
      .map((call) => ({
        call_id: call.callId,
        tool_name: call.name,
        arguments: parseCallArguments(call.arguments),
      }));
    const none = questions.length + approvals.length === 0;
    return none ? null : { approvals, questions };
  }

  needsApproval(agent: Agent, call: FunctionCall, turn: Turn): boolean {
    // Absent in turns that an earlier version of the service stored.
    const { foreignText = true } = turn;
    return needsApproval(this.find(agent, call.name), call, { foreignText });
  }

  /** Whether the model of a turn may have read text that neither its user nor the operator wrote. */
  hasForeignText(agent: Agent, earlier: readonly Turn[]): boolean {
    const isTrusted = (name: string): boolean => {
      const { source, annotations } = this.registry.find(name) ?? {};
      return source === 'builtin' && annotations?.openWorldHint === false;
    };
    return (
      sendsForeignText(this.request) ||
      this.hosted(agent).length > 0 ||
      earlier.some(
        ({ foreignText = true, results }) =>
          foreignText ||
          results.some(
            (result) =>
              result &&
              // The turns of a called agent have a mark of their own.
              ((result.outcome === 'reported' && result.invocation !== null) ||
                result.outcome === 'failed') &&
              !isTrusted(result.toolName),
          ),
      )
    );
  }

  /** The result of a call for which there is no tool to run. */
  refused(agent: Agent, call: RequestedCall): CompletedToolCall {
    if (this.callersFor(agent)?.has(call.toolName)) {
      const message = 'The arguments are not a JSON object.';
      return refusedCall(call, 'INVALID_ARGUMENTS', message);
    }
    const names = this.toolNames(agent);
    const message =
      names.length === 0
        ? 'There are no tools.'
        : `There is no tool of this name. There is: ${names.join(', ')}.`;
    return refusedCall(call, 'UNKNOWN_TOOL', message);
  }

  /** Whether the user answered a question of another turn than that of `calls`: a chat asks once. */
  private hasAnswered(calls: readonly FunctionCall[]): boolean {
    const current = new Set(calls.map(({ callId }) => callId));
    return [...this.decisions].some(
      ([callId, decision]) => isAnswer(decision) && !current.has(callId),
    );
  }

  private callersFor({ isCalled }: Agent): CallerFunctions | undefined {
    return isCalled ? undefined : this.callers;
  }

  /** Not limited by `tools` and scopes: what an agent that is called may use is, as it is after a handoff. */
  private agentTools({ agentTools }: Agent): readonly Tool[] {
    return this.isEnabled ? agentTools : [];
  }

  private tools(agent: Agent): Tool[] {
    if (!this.isEnabled) return [];
    return this.registry
      .list()
      .filter(({ name }) => this.allows(name) && mayCall(agent, name))
      .filter((tool) => this.isUseful(tool));
  }

  /** Small models call what they are offered, also where there is nothing to search, or for a request that lacks what it needs. */
  private isUseful(tool: Tool): boolean {
    const { documents, tools, tool_context } = this.request;
    const mayFind =
      !tool.needsDocuments ||
      Boolean(documents?.length) ||
      this.registry.hasDocuments ||
      tools?.includes(tool.name) === true;
    return mayFind && contextFaults(tool, tool_context).length === 0;
  }

  private allows(name: string): boolean {
    const { tools } = this.request;
    return (
      !this.excluded.includes(name) &&
      !this.callers?.has(name) &&
      allowsTool(this.scopes, name) &&
      (tools?.includes(name) ?? true)
    );
  }

  /** False where the request wants no tools: calls are then refused, even if the model makes one up. */
  private get isEnabled(): boolean {
    const { auto_tool_call, tool_choice } = this.request;
    return auto_tool_call !== false && tool_choice !== 'none';
  }

  private get allowsQuestions(): boolean {
    return this.isEnabled && this.request.clarification === 'auto';
  }
}

/** Whether the request holds texts that its user need not have written. */
function sendsForeignText({ documents, context, messages }: ChatRequest) {
  return (
    Boolean(documents?.length) ||
    Boolean(context?.length) ||
    messages?.some(({ role }) => role === 'tool') === true
  );
}

const descriptions = new WeakMap<Tool, ToolDescription>();

/** Made once for each tool, so that the schema is serialized once. */
function withResultSchema(tool: Tool): ToolDescription {
  const known = descriptions.get(tool);
  if (known) return known;
  const { offered, returns } = tool;
  const made = {
    ...offered,
    description: withResult(offered.description, returns),
  };
  descriptions.set(tool, made);
  return made;
}

/** False also for a tool whose name equals a handoff of the agent or an agent that it may call, which take precedence. */
function mayCall(agent: Agent, name: string): boolean {
  return (
    agent.allows(name) &&
    handoffOf(agent, name) === undefined &&
    calledAgentOf(agent, name) === undefined
  );
}
