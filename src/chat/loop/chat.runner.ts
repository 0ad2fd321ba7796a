import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { CallerIdentity } from '../../auth/caller';
import { urlsIn } from '../../guardrails/citations/bare.urls';
import { GuardrailTripped } from '../../guardrails/guardrail.tripped';
import { Guardrails } from '../../guardrails/guardrails';
import { ModelClient } from '../../llm/model.client';
import type { MessageDelta } from '../../message/delta';
import type { ImagePart } from '../../message/message';
import { ToolRegistry } from '../../tools/tool.registry';
import { Agents } from './agents';
import { CallLimit, maxResearchOf } from '../tools/call-limit';
import { RESEARCH } from '../tools/tool-call';
import type { ChatRequest } from '../dto/chat.dto';
import { chatInput } from './chat.input';
import type { ChatObserver } from './chat.observer';
import { answerMessage } from './chat.message';
import { NO_ANSWER, trippedReply } from './chat.reply';
import { type ChatEnd, ChatLoop } from './chat.loop';
import type { Turn } from './chat.turn';
import { type Decision, saidIn, withSaid } from '../tools/approvals';
import { Toolset } from '../tools/toolset';
import { type ChatContext, ToolCallInvoker } from '../tools/tool-call.invoker';
import {
  ToolCallRunner,
  type ToolCallRunnerParts,
} from '../tools/tool-call.runner';
import { ToolCallWait } from '../tools/tool-call.wait';

/** Whom a chat is for. */
export interface ChatOrigin {
  caller: CallerIdentity;
  /** `X-Request-Id`. */
  requestId?: string;
  /** How long its client asks to be held at the most. */
  waitMs?: number;
  /** Headers that go on to the model endpoint. */
  forwarded?: Readonly<Record<string, string>>;
  /** Names of tools that are not for it, whatever it asks for. */
  without?: readonly string[];
}

/** A chat, from wherever it has got to. */
export interface ChatStart {
  request: ChatRequest;
  origin: ChatOrigin;
  /** Those that were taken; new ones are added. */
  turns: Turn[];
  decisions: ReadonlyMap<string, Decision>;
  /** Told what the models say: the answer alone, when it is checked, where there is an output guardrail. */
  tell?: (delta: MessageDelta) => void;
  notes?: ChatObserver;
  durable?: ChatContext['durable'];
  /** Ends everything but the tools that were started. */
  gone: AbortSignal;
  /** Each of them ends the wait for tools. */
  until: readonly AbortSignal[];
}

/** Carries chats, between the guardrails of both sides. */
@Injectable()
export class ChatRunner {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly models: ModelClient,
    private readonly agents: Agents,
    private readonly registry: ToolRegistry,
    private readonly caller: ToolCallInvoker,
    private readonly guardrails: Guardrails,
    private readonly config: AppConfig,
  ) {}

  /**
   * A guardrail that refuses is an answer, and so is a failing turn of a model.
   * @throws the reason of `gone`, or what keeps a call from being made for now.
   */
  async carry(start: ChatStart): Promise<ChatEnd> {
    const { origin, turns, gone, notes } = start;
    const consulted = new Set<string>();
    const guarded = {
      tenant: origin.caller.name,
      requestId: origin.requestId,
      consulted,
      signal: gone,
    };
    let calls: ToolCallRunner | undefined;
    let end: ChatEnd | undefined;
    try {
      await this.agents.ready();
      const request = await this.checked(start.request, guarded);
      const decisions = await this.decided(start.decisions, guarded);
      const input = chatInput(request);
      if (!this.guardrails.isEmpty)
        for (const url of urlsIn(input)) consulted.add(url);
      const without = this.withoutOf(origin, request);
      const offer = new Toolset(this.registry, request, decisions, without);
      calls = new ToolCallRunner({
        offer,
        budget: new CallLimit(this.config.tools, request),
        caller: this.caller,
        guardrails: this.guardrails,
        context: this.contextOf(start, request),
        guarded,
        decisions,
        notes,
        gone,
      });
      const run = new ChatLoop(
        {
          models: this.models,
          agents: this.agents,
          offer,
          calls,
          input,
          maxTurns: this.config.upstream.maxTurns,
          ...(!this.guardrails.guardsOutput && { tell: start.tell }),
          notes,
          options: {
            model: request.model,
            toolChoice: request.tool_choice ?? 'auto',
            headers: origin.forwarded,
          },
          now: () => this.caller.now(),
          gone,
        },
        turns,
      );
      end = await run.run();
      if (end.answer.failure)
        this.log.warn(`A turn of the model failed: ${end.answer.failure.code}`);
      for (const { url } of end.answer.sources ?? []) consulted.add(url);
      return await this.passed(end, guarded, start.tell);
    } catch (error) {
      if (!(error instanceof GuardrailTripped)) throw error;
      const { responseId = null, usage = null } = turns.at(-1) ?? {};
      const answer = end?.answer ?? { ...NO_ANSWER, responseId, usage };
      const reply = trippedReply(error, answer, calls?.made ?? []);
      return { reply, answer: { ...answer, failure: null }, waits: null };
    } finally {
      // An engine may be gone before the calls are that it asked for.
      await calls?.settled();
    }
  }

  private withoutOf(
    { without = [] }: ChatOrigin,
    request: ChatRequest,
  ): readonly string[] {
    const mayResearch = maxResearchOf(request, this.config.tools) > 0;
    return mayResearch ? without : [...without, RESEARCH];
  }

  private contextOf(
    { origin, until, durable }: ChatStart,
    request: ChatRequest,
  ): ToolCallRunnerParts['context'] {
    const { caller, requestId, forwarded, waitMs = Infinity } = origin;
    const context = { request, caller, requestId, forwarded, until };
    if (durable) return { ...context, durable };
    const { maxWaitMs } = this.config.invocations;
    const isAsked = waitMs < maxWaitMs;
    const wait = new ToolCallWait(isAsked ? waitMs : maxWaitMs, isAsked);
    return { ...context, wait };
  }

  private async checked(
    request: ChatRequest,
    guarded: Parameters<Guardrails['input']>[1],
  ): Promise<ChatRequest> {
    if (this.guardrails.isEmpty) return request;
    const { message, messages, context, documents, system_prompt } = request;
    const texts = { message, messages, context, documents, system_prompt };
    return { ...request, ...(await this.guardrails.input(texts, guarded)) };
  }

  /** What a human said of a call, which the model is told. */
  private async decided(
    decisions: ChatStart['decisions'],
    guarded: Parameters<Guardrails['input']>[1],
  ): Promise<ChatStart['decisions']> {
    if (decisions.size === 0) return decisions;
    const said = [...decisions.values()];
    const passed = await this.guardrails.input(said, guarded);
    return new Map([...decisions.keys()].map((id, at) => [id, passed[at]]));
  }

  /**
   * With an output guardrail nothing of the answer was told before: whatever has failed, it is whole. What the chat waits
   * for is told too.
   */
  private async passed(
    end: ChatEnd,
    guarded: Parameters<Guardrails['output']>[1],
    tell: ChatStart['tell'],
  ): Promise<ChatEnd> {
    if (!this.guardrails.guardsOutput) return end;
    const { content, research_summary } = end.reply;
    const said = { content, research_summary, asked: saidIn(end.waits) };
    const { asked, ...passed } = await this.guardrails.output(said, guarded);
    const waits = end.waits && withSaid(end.waits, asked);
    const reply = { ...end.reply, ...passed, required_action: waits };
    // Its places are those of a text that was given up.
    const places = research_summary === null ? 'content' : 'research_summary';
    if (passed[places] !== end.reply[places]) reply.citations = null;
    // What the model thought was not looked at.
    if (reply.message) {
      const images = reply.message.contents.filter(
        ({ type }) => type !== 'text',
      );
      reply.message = answerMessage(reply.content ?? '', images as ImagePart[]);
    }
    if (reply.status === 'completed' && reply.content)
      tell?.({
        role: 'assistant',
        contents: [{ index: 0, type: 'text', text: reply.content }],
      });
    return { answer: { ...end.answer, failure: null }, reply, waits };
  }
}
