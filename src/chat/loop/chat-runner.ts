import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppConfig } from '../../config/config';
import { urlsIn } from '../../tools/guardrails/citations/bare-urls';
import { GuardrailTripped } from '../../tools/guardrails/tripwire';
import { Guardrails } from '../../tools/guardrails/guardrails';
import type { Spending } from '../../llm/prices/spending';
import { ModelClient } from '../../llm/model.client';
import type { MessageDelta } from '../../platform/message/delta';
import type { WaitingClient } from '../../runs/repeats/adopted-runs';
import { ToolRegistry } from '../../tools/tool-registry';
import type { ChatRequest } from '../dto/chat.dto';
import type { Decision } from '../tools/approvals';
import { CallLimit, maxResearchOf } from '../tools/call-limit';
import {
  type ChatContext,
  ToolCallInvoker,
  ToolWait,
} from '../tools/tool-call-invoker';
import { ToolCallRunner } from '../tools/tool-call-runner';
import type { ToolCallRunnerParts } from '../tools/tool-call-runner-parts';
import { Toolset } from '../tools/toolset';
import { Agents } from '../turns/chat-agents';
import type { ChatObserver } from '../turns/chat-observer';
import type { Turn } from '../turns/chat-turn';
import { RESEARCH } from '../turns/tool-call';
import { chatInput } from './chat-input';
import { ChatLoop } from './chat-loop';
import type { ChatResult } from './chat-loop-parts';
import { costOf, NO_ANSWER, trippedReply } from './chat-reply';
import { ChatSpending } from './chat-spending';
import { guardedReply } from './guarded-reply';

/** The client of a chat, and what its request brought besides the body. */
export interface ChatOrigin {
  caller: CallerIdentity;
  /** `X-Request-Id`. */
  requestId?: string;
  /** Set where it waits for the reply. */
  client?: WaitingClient;
  /** How long the client is willing to wait for tools. */
  waitMs?: number;
  /** Headers for the model endpoint. */
  forwarded?: Readonly<Record<string, string>>;
  /** Names of tools that the chat must not call, whatever it requests. */
  excludedTools?: readonly string[];
}

/** A chat, from any point that it has reached. */
export interface ChatStart {
  request: ChatRequest;
  origin: ChatOrigin;
  /** The completed turns; new ones are appended. */
  turns: Turn[];
  decisions: ReadonlyMap<string, Decision>;
  /** Receives the deltas of the models; with an output guardrail, the checked reply as a single delta. */
  emit?: (delta: MessageDelta) => void;
  observer?: ChatObserver;
  durable?: ChatContext['durable'];
  /** Ends everything but the runs that were started. */
  signal: AbortSignal;
  /** Each of them ends the wait for tools. */
  waitSignals: readonly AbortSignal[];
}

/** Runs chats: input guardrails, the loop, output guardrails. */
@Injectable()
export class ChatRunner {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly models: ModelClient,
    private readonly agents: Agents,
    private readonly registry: ToolRegistry,
    private readonly invoker: ToolCallInvoker,
    private readonly guardrails: Guardrails,
    private readonly spendings: ChatSpending,
    private readonly config: AppConfig,
  ) {}

  /**
   * The refusal of a guardrail and a failed turn of a model are results.
   * @throws the reason of the signal, or the error that prevents a call.
   */
  async run(start: ChatStart): Promise<ChatResult> {
    const spending = this.spendings.of(start);
    const result = await this.carry(start, spending);
    return { ...result, reply: { ...result.reply, cost: costOf(spending) } };
  }

  private async carry(
    start: ChatStart,
    spending: Spending,
  ): Promise<ChatResult> {
    const { origin, turns, signal, observer } = start;
    const consulted = new Set<string>();
    const guarded = {
      tenant: origin.caller.name,
      requestId: origin.requestId,
      consulted,
      signal,
    };
    let calls: ToolCallRunner | undefined;
    let result: ChatResult | undefined;
    try {
      await this.agents.ready();
      const { request, decisions } = this.guardrails.isEmpty
        ? start
        : await this.guardInput(start, guarded);
      const input = chatInput(request);
      if (!this.guardrails.isEmpty)
        for (const url of urlsIn(input)) consulted.add(url);
      const toolset = new Toolset(
        this.registry,
        request,
        decisions,
        this.excludedTools(origin, request),
        origin.caller.scopes,
      );
      calls = new ToolCallRunner({
        toolset,
        limit: new CallLimit(this.config.tools, request),
        invoker: this.invoker,
        guardrails: this.guardrails,
        context: this.contextOf(start, request),
        guarded,
        decisions,
        observer,
        signal,
      });
      const loop = new ChatLoop(
        {
          models: this.models,
          agents: this.agents,
          toolset,
          calls,
          input,
          maxTurns: this.config.upstream.maxTurns,
          ...(!this.guardrails.guardsOutput && { emit: start.emit }),
          observer,
          spending,
          options: {
            model: request.model,
            toolChoice: request.tool_choice ?? 'auto',
            parallelCalls: request.parallel_tool_calls ?? undefined,
            sampling: request.sampling,
            headers: origin.forwarded,
          },
          now: () => this.invoker.now(),
          signal,
        },
        turns,
      );
      result = await loop.run();
      const { failure, sources = [] } = result.answer;
      if (failure) this.log.warn(`A turn of the model failed: ${failure.code}`);
      for (const { url } of sources) consulted.add(url);
      return await guardedReply(this.guardrails, result, guarded, start.emit);
    } catch (error) {
      if (!(error instanceof GuardrailTripped)) throw error;
      const { responseId = null, usage = null } = turns.at(-1) ?? {};
      const answer = result?.answer ?? { ...NO_ANSWER, responseId, usage };
      const reply = trippedReply(error, answer, calls?.completed ?? []);
      const withoutFailure = { ...answer, failure: null };
      return { reply, answer: withoutFailure, requiredAction: null };
    } finally {
      // An engine may fail while calls that it requested are still running.
      await calls?.settled();
    }
  }

  private excludedTools(
    { excludedTools = [] }: ChatOrigin,
    request: ChatRequest,
  ): readonly string[] {
    const mayResearch = maxResearchOf(request, this.config.tools) > 0;
    return mayResearch ? excludedTools : [...excludedTools, RESEARCH];
  }

  private contextOf(
    { origin, waitSignals, durable, request: body }: ChatStart,
    request: ChatRequest,
  ): ToolCallRunnerParts['context'] {
    const { caller, requestId, forwarded, waitMs = Infinity } = origin;
    const context = { request, caller, requestId, forwarded, waitSignals };
    if (durable) return { ...context, durable };
    const { client } = origin;
    let calls = 0;
    const repeatable = client && { client, body, nth: () => calls++ };
    const { maxWaitMs } = this.config.runs;
    const isExact = waitMs < maxWaitMs;
    const wait = new ToolWait(isExact ? waitMs : maxWaitMs, isExact);
    return { ...context, wait, repeatable };
  }

  /** The reasons and answers of the user are input of the model too. */
  private async guardInput(
    { request, decisions }: ChatStart,
    guarded: Parameters<Guardrails['input']>[1],
  ): Promise<Pick<ChatStart, 'request' | 'decisions'>> {
    const { message, messages, context, documents } = request;
    const { system_prompt, functions, sampling } = request;
    const prompts = { message, messages, context, documents, system_prompt };
    const texts = { ...prompts, functions, sampling };
    const passed = {
      ...request,
      ...(await this.guardrails.input(texts, guarded)),
    };
    if (decisions.size === 0) return { request: passed, decisions };
    const answers = await this.guardrails.input(
      [...decisions.values()],
      guarded,
    );
    const ids = [...decisions.keys()];
    return {
      request: passed,
      decisions: new Map(ids.map((id, at) => [id, answers[at]])),
    };
  }
}
