import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/config';
import type { CallerIdentity } from '../auth/caller';
import { urlsIn } from '../guardrails/bare.urls';
import { GuardrailTripped } from '../guardrails/guardrail.tripped';
import { Guardrails } from '../guardrails/guardrails';
import { ModelPort } from '../llm/model.port';
import type { MessageDelta } from '../message/delta';
import { ToolRegistry } from '../tools/tool.registry';
import { Agents } from './agents';
import { CallBudget } from './call.budget';
import type { ChatRequest } from './chat.dto';
import { chatInput } from './chat.input';
import type { ChatNotes } from './chat.notes';
import { NO_ANSWER, trippedReply } from './chat.reply';
import { type ChatEnd, ChatRun } from './chat.run';
import type { Turn } from './chat.turn';
import { type Decision, saidIn, withSaid } from './human';
import { Offer } from './offer';
import { type ChatContext, ToolCaller } from './tool.caller';
import { ToolCalls } from './tool.calls';

/** Whom a chat is for. */
export interface ChatOrigin {
  caller: CallerIdentity;
  /** `X-Request-Id`. */
  requestId?: string;
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
  notes?: ChatNotes;
  durable?: ChatContext['durable'];
  /** Ends everything but the tools that were started. */
  gone: AbortSignal;
  /** Ends the wait for tools. */
  until: AbortSignal;
}

/** Carries chats, between the guardrails of both sides. */
@Injectable()
export class ChatRunner {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly models: ModelPort,
    private readonly agents: Agents,
    private readonly registry: ToolRegistry,
    private readonly caller: ToolCaller,
    private readonly guardrails: Guardrails,
    private readonly config: AppConfig,
  ) {}

  /**
   * A guardrail that refuses is an answer, and so is a failing turn of a model.
   * @throws the reason of `gone`, or what keeps a call from being made for now.
   */
  async carry(start: ChatStart): Promise<ChatEnd> {
    const { origin, turns, gone, until, durable, notes } = start;
    const consulted = new Set<string>();
    const guarded = {
      tenant: origin.caller.name,
      requestId: origin.requestId,
      consulted,
      signal: gone,
    };
    let calls: ToolCalls | undefined;
    let end: ChatEnd | undefined;
    try {
      await this.agents.ready();
      const request = await this.checked(start.request, guarded);
      const decisions = await this.decided(start.decisions, guarded);
      const input = chatInput(request);
      if (!this.guardrails.isEmpty)
        for (const url of urlsIn(input)) consulted.add(url);
      const offer = new Offer(this.registry, request, decisions);
      calls = new ToolCalls({
        offer,
        budget: new CallBudget(this.config.tools),
        caller: this.caller,
        guardrails: this.guardrails,
        context: { request, ...origin, until, durable },
        guarded,
        decisions,
        notes,
        gone,
      });
      const run = new ChatRun(
        {
          models: this.models,
          agents: this.agents,
          offer,
          calls,
          input,
          maxTurns: this.config.upstream.maxTurns,
          ...(!this.guardrails.guardsOutput && { tell: start.tell }),
          notes,
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

  private async checked(
    request: ChatRequest,
    guarded: Parameters<Guardrails['input']>[1],
  ): Promise<ChatRequest> {
    const { message, messages, context, documents, system_prompt } = request;
    const texts = { message, messages, context, documents, system_prompt };
    return { ...request, ...(await this.guardrails.input(texts, guarded)) };
  }

  /** What a human said of a call, which the model is told. */
  private async decided(
    decisions: ChatStart['decisions'],
    guarded: Parameters<Guardrails['input']>[1],
  ): Promise<ChatStart['decisions']> {
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
    // Its places are those of the text that was given up.
    if (passed.content !== content) reply.citations = null;
    if (reply.status === 'completed' && reply.content)
      tell?.({
        role: 'assistant',
        contents: [{ index: 0, type: 'text', text: reply.content }],
      });
    return { answer: { ...end.answer, failure: null }, reply, waits };
  }
}
