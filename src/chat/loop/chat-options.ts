import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { allowsTool, type Scopes } from '../../platform/auth/scopes';
import { AppError, type FieldError } from '../../platform/errors';
import { contextFaults } from '../../tools/schemas/context-schema';
import { ToolRegistry } from '../../tools/tool-registry';
import { Agents } from '../turns/chat-agents';
import type { ChatRequest } from '../dto/chat.dto';
import { Toolset } from '../tools/toolset';

/** Names in one error message. */
const MAX_NAMED = 50;

/** Checks the options of a request before any work starts. */
@Injectable()
export class ChatOptions {
  constructor(
    private readonly config: AppConfig,
    private readonly agents: Agents,
    private readonly registry: ToolRegistry,
  ) {}

  /**
   * @param scopes of the API key.
   * @throws AppError `validation_failed`, whose errors list the allowed values.
   */
  check(request: ChatRequest, scopes: Scopes): void {
    const { model, max_research, tools = [] } = request;
    const errors: FieldError[] = [];
    const refuse = (path: string, message: string): void =>
      void errors.push({ path, message });
    const models = model ? this.allowedModels : [];
    if (model && !models.includes(model))
      refuse('model', `is not allowed; allowed: ${models.join(', ')}`);
    const { maxResearch } = this.config.tools;
    if ((max_research ?? 0) > maxResearch)
      refuse('max_research', `must not be greater than ${maxResearch}`);
    if (tools?.length) {
      const known = this.known();
      for (const [at, name] of tools.entries())
        if (!known.includes(name))
          refuse(
            `tools.${at}`,
            `is not a tool; available: ${listed(allowedBy(scopes, known))}`,
          );
    }
    this.checkContext(request, scopes, refuse);
    this.checkFunctions(request, scopes, refuse);
    this.checkChoice(request, scopes, refuse);
    if (errors.length === 0) return;
    const fields = [...new Set(errors.map(({ path }) => path))].slice(0, 5);
    throw new AppError(
      'validation_failed',
      `Not valid: ${fields.join(', ')}.`,
      {
        errors: errors.slice(0, 100),
      },
    );
  }

  /** The models that a request may name. Waits at most 5 s for the list of models of the endpoint. */
  async models(): Promise<readonly string[]> {
    await this.agents.ready();
    return [...new Set(this.allowedModels)];
  }

  /** The request without the tools whose names its functions have: for a caller that cannot know the tools. */
  besideFunctions(request: ChatRequest): ChatRequest {
    const names = new Set(request.functions?.map(({ name }) => name));
    const known = this.known();
    if (!known.some((name) => names.has(name))) return request;
    return { ...request, tools: known.filter((name) => !names.has(name)) };
  }

  private get allowedModels(): readonly string[] {
    return [this.agents.defaultModel, ...this.config.upstream.chatModels];
  }

  /** What the request has must fit the tools that its key may call. A tool for which something is missing is not offered. */
  private checkContext(
    { tools, tool_context }: ChatRequest,
    scopes: Scopes,
    refuse: (path: string, message: string) => void,
  ): void {
    for (const tool of this.registry.list()) {
      if (tools && !tools.includes(tool.name)) continue;
      if (!allowsTool(scopes, tool.name)) continue;
      for (const { path, message, isMissing } of contextFaults(
        tool,
        tool_context,
      ))
        if (!isMissing)
          refuse(path, `${message} (the tool ${tool.name} reads it)`);
    }
  }

  /** A name that the chat has already is refused: the model could not tell the two apart. */
  private checkFunctions(
    request: ChatRequest,
    scopes: Scopes,
    refuse: (path: string, message: string) => void,
  ): void {
    const { functions } = request;
    if (!functions?.length) return;
    const own = { ...request, functions: null };
    const toolset = new Toolset(this.registry, own, new Map(), [], scopes);
    const taken = new Set(
      this.agents.participants.flatMap((agent) => [
        ...toolset.functions(agent).map(({ name }) => name),
        ...toolset.hosted(agent),
      ]),
    );
    const seen = new Set<string>();
    for (const [at, { name }] of functions.entries()) {
      const path = `functions.${at}.name`;
      if (seen.has(name)) refuse(path, 'must be unique');
      else if (taken.has(name))
        refuse(path, `is a tool of this chat; leave ${name} out of tools`);
      seen.add(name);
    }
  }

  private checkChoice(
    request: ChatRequest,
    scopes: Scopes,
    refuse: (path: string, message: string) => void,
  ): void {
    const { tool_choice: choice = 'auto' } = request;
    if (choice === null || choice === 'auto' || choice === 'none') return;
    const toolset = new Toolset(this.registry, request, new Map(), [], scopes);
    const { first } = this.agents;
    const names = toolset.toolNames(first);
    if (choice === 'required') {
      if (names.length + toolset.hosted(first).length === 0)
        refuse('tool_choice', 'cannot be required: no tool is available');
    } else if (!names.includes(choice.name)) {
      refuse(
        'tool_choice.name',
        `is not available; available: ${listed(names)}`,
      );
    }
  }

  /** Names of all tools that any agent may call. */
  private known(): string[] {
    const own = this.registry.list().map(({ name }) => name);
    return [...new Set([...own, ...this.agents.hosted])];
  }
}

function allowedBy(scopes: Scopes, names: readonly string[]): string[] {
  return names.filter((name) => allowsTool(scopes, name));
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > MAX_NAMED ? ' and more' : '';
  return names.slice(0, MAX_NAMED).join(', ') + more;
}
