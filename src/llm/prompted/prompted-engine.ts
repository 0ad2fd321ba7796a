import { Logger } from '@nestjs/common';
import type { MessageDelta } from '../../platform/message/delta';
import { newCallId } from '../../platform/message/call-arguments';
import type { Message } from '../../platform/message/message';
import { textOf } from '../../platform/message/part-text';
import type { CompletionsEngine } from '../completions/completions-engine';
import {
  addUsage,
  joinThinking,
  type ModelAnswer,
  type ModelRequest,
} from '../turns/model.types';
import type { ResponsesEngine } from '../responses/responses-engine';
import { DeltaEmitter } from '../turns/delta-emitter';
import { choiceInWords, type ToolChoice } from '../turns/tool-choice';
import { converse, type ModelTurn } from '../turns/turn-loop';
import {
  AnswerParser,
  type PromptedAnswer,
  type PromptedListener,
} from './answer-parser';
import { AnyCall } from './call-policy';
import { OfferedTools } from './written/offered-tools';
import {
  NO_MORE_CALLS,
  repairMessage,
  resultsMessage,
  toolInstructions,
  toPromptMessages,
  withInstructions,
} from './prompt-messages';

type Engine = ResponsesEngine | CompletionsEngine;
type ParsedAnswer = ModelAnswer & { parsed: PromptedAnswer };
type Listener = PromptedListener & { restart?(): void };

/** Tools for models without function calling: described in the prompt, called by JSON in the answer, over either protocol. */
export class PromptedEngine {
  constructor(private readonly engine: Engine) {}

  /**
   * Only text of the model itself is parsed for calls. An invalid call is requested again, once. No part of a call is ever
   * sent as a delta. An answer that turns out late to have begun inside its thinking stays as it was sent.
   * @throws the signal's reason, or what `callTools` throws. A failed turn is part of the answer.
   */
  run(
    request: ModelRequest,
    emitter = new DeltaEmitter(request.onDelta),
  ): Promise<ModelAnswer> {
    const prompted = new PromptedConversation(this.engine, request, emitter);
    const { maxTurns } = this.engine;
    return converse(request, emitter, maxTurns, (last, choice) =>
      prompted.takeTurn(last, choice),
    );
  }
}

class PromptedConversation {
  private readonly log = new Logger('Models');
  private readonly messages: Message[];
  private readonly offered: OfferedTools;
  private readonly tools: ReadonlySet<string>;
  /** Null if there are no tools to describe. */
  private readonly instructions: string | null;
  private repaired = false;

  constructor(
    private readonly engine: Engine,
    private readonly request: ModelRequest,
    private readonly emitter: DeltaEmitter,
  ) {
    const { input, tools } = request;
    this.messages = toPromptMessages(input);
    this.offered = new OfferedTools(tools);
    this.tools = this.offered.names;
    this.instructions = tools.length > 0 ? toolInstructions(tools) : null;
  }

  async takeTurn(last: boolean, choice: ToolChoice): Promise<ModelTurn> {
    const { instructions, emitter } = this;
    const answer = last
      ? await this.send(NO_MORE_CALLS)
      : await this.repair(
          await this.send(
            instructions && instructions + choiceInWords(choice, this.request),
          ),
        );
    const { text, responseId, usage } = answer;
    const parsed = this.withCallsAllowed(answer.parsed);
    const isFinal = last || parsed.calls.length === 0;
    return {
      id: responseId,
      usage,
      calls: () => {
        if (!last) this.logCalls(parsed);
        return parsed.calls.map(({ name, arguments: args }) => ({
          callId: newCallId(),
          name,
          arguments: args,
        }));
      },
      // The protocol has calls of its own, after which there may be no text.
      content: () => ({
        text: text === null ? null : isFinal ? parsed.text : emitter.text,
        // Thinking may be a field of the reply, or part of the text.
        thinking: joinThinking(answer.thinking, parsed.thinking),
        truncated: answer.truncated,
      }),
      add: (outputs) => {
        const names = parsed.calls.map(({ name }) => name);
        this.messages.push(asMessage(parsed), resultsMessage(names, outputs));
      },
    };
  }

  /** Only the first call counts where a turn may have one. */
  private withCallsAllowed(parsed: PromptedAnswer): PromptedAnswer {
    return this.request.parallelCalls === false
      ? { ...parsed, calls: parsed.calls.slice(0, 1) }
      : parsed;
  }

  /** The answer, or the second one where the first has an invalid call. */
  private async repair(answer: ParsedAnswer): Promise<ParsedAnswer> {
    const faults = answer.parsed.calls.flatMap(({ fault = [] }) => fault);
    if (faults.length === 0 || this.repaired) return answer;
    this.repaired = true;
    this.messages.push(asMessage(answer.parsed), repairMessage(faults));
    const repair = new RepairEmitter(this.emitter);
    const repaired = await this.send(this.instructions, repair);
    repair.end(repaired.parsed.calls.length === 0);
    return { ...repaired, usage: addUsage(answer.usage, repaired) };
  }

  /** @throws AppError if the turn failed, or the signal's reason. */
  private async send(
    instructions: string | null,
    listener: Listener = this.emitter,
  ): Promise<ParsedAnswer> {
    const { messages, emitter } = this;
    const input = instructions
      ? withInstructions(instructions, messages)
      : messages;
    const tools = instructions ? this.tools : null;
    const texts = textsOfUser(messages);
    const policy = new AnyCall(tools ? this.offered : undefined);
    const newParser = () => new AnswerParser(tools, texts, listener, policy);
    let parser = newParser();
    let part = 0;
    const onDelta = ({ contents = [], thinking = '' }: MessageDelta): void => {
      listener.emitThinking(thinking);
      for (const { index, text = '' } of contents) {
        if (index > part) {
          parser.end();
          emitter.beginTurn();
          parser = newParser();
          part = index;
        }
        parser.push(text);
      }
    };
    // A call is not of the form that the answer is to have, and may hold what is to end it.
    const unlike = tools?.size && { format: undefined, stop: undefined };
    const answer = await this.engine.run(
      {
        ...this.request,
        tools: [],
        hosted: [],
        input,
        sampling: { ...this.request.sampling, ...unlike },
        readText: undefined,
      },
      new DeltaEmitter(emitter.streams ? onDelta : undefined, emitter, () => {
        listener.restart?.();
        parser = newParser();
      }),
    );
    if (answer.failure) throw answer.failure;
    if (!emitter.streams) parser.push(answer.text ?? '');
    return { ...answer, parsed: parser.end() };
  }

  /** Logs the names of known tools, and nothing else that the model wrote. */
  private logCalls({ calls }: PromptedAnswer): void {
    if (calls.length === 0) return;
    const names = calls.map(({ name }) =>
      this.tools.has(name) ? name : 'unknown',
    );
    this.log.log(`${this.request.model} called ${names.join(', ')} by prompt`);
  }
}

/**
 * Sends the answer to a repair request. Text that repeats the first answer is not sent again; any other text starts a part
 * of its own.
 */
class RepairEmitter implements PromptedListener {
  private readonly firstText: string;
  private pending = '';
  private repeats = true;

  constructor(private readonly emitter: DeltaEmitter) {
    this.firstText = emitter.text;
  }

  emitText(text: string): void {
    if (!this.repeats) return this.emitter.emitText(text);
    this.pending += text;
    if (this.firstText.startsWith(this.pending)) return;
    this.repeats = false;
    if (this.pending.startsWith(this.firstText)) {
      this.emitter.emitText(this.pending.slice(this.firstText.length));
    } else {
      this.sendPending();
    }
  }

  /** The attempt failed and is repeated. */
  restart(): void {
    this.pending = '';
    this.repeats = true;
  }

  emitThinking(text: string): void {
    this.emitter.emitThinking(text);
  }

  /** A final answer that is only a beginning of the first one is another answer; beside calls it adds nothing. */
  end(isFinal: boolean): void {
    const isShorter = this.repeats && this.pending !== this.firstText;
    if (isFinal && isShorter) this.sendPending();
  }

  private sendPending(): void {
    this.emitter.beginTurn();
    this.emitter.emitText(this.pending);
  }
}

function asMessage({ raw }: PromptedAnswer): Message {
  return { role: 'assistant', contents: [{ type: 'text', text: raw }] };
}

/** The texts of users, documents and tools. */
function textsOfUser(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ contents }) => textOf(contents));
}
