import { Logger } from '@nestjs/common';
import type { MessageDelta } from '../../message/delta';
import { newCallId } from '../../message/call.arguments';
import type { Message } from '../../message/message';
import { textOf } from '../../message/part.text';
import type { CompletionsEngine } from '../completions/completions.engine';
import { converse } from '../turns/turn-loop';
import {
  addUsage,
  joinThinking,
  type ModelAnswer,
  type ModelRequest,
} from '../model.types';
import {
  NO_MORE_CALLS,
  repairMessage,
  resultsMessage,
  toolInstructions,
  toPromptMessages,
  withInstructions,
} from './prompt.messages';
import {
  type PromptedAnswer,
  type PromptedListener,
  AnswerParser,
} from './answer.parser';
import type { ResponsesEngine } from '../responses/responses.engine';
import { DeltaEmitter } from '../turns/delta.emitter';
import { choiceInWords } from '../turns/tool.choice';

/** Tools for models without them: described in the prompt, called by JSON in the answer, over either protocol. */
export class PromptedEngine {
  private readonly log = new Logger('Models');

  constructor(private readonly engine: ResponsesEngine | CompletionsEngine) {}

  /**
   * Only what the model itself answers is read as a call. One that cannot be read is asked for again, once. No part of a
   * call is ever told. An answer that turns out late to have begun within its thinking stays told as it was.
   * @throws the signal's reason, or what `callTools` throws. A failing turn is part of the answer.
   */
  run(
    request: ModelRequest,
    telling = new DeltaEmitter(request.tell),
  ): Promise<ModelAnswer> {
    const messages = toPromptMessages(request.input);
    const names = new Set(request.tools.map(({ name }) => name));
    const instructions =
      names.size > 0 ? toolInstructions(request.tools) : null;
    let repaired = false;
    const ask = async (
      told: string | null,
      listener: PromptedListener & { retake?(): void } = telling,
    ) => {
      const input = told ? withInstructions(told, messages) : messages;
      // Who was told of no tools calls none.
      const tools = told ? names : null;
      const heard = heardIn(messages);
      const begin = () => new AnswerParser(tools, heard, listener);
      let reader = begin();
      let turn = 0;
      const hear = ({ contents = [], thinking = '' }: MessageDelta): void => {
        listener.think(thinking);
        for (const { index, text = '' } of contents) {
          if (index > turn) {
            reader.end();
            telling.beginTurn();
            reader = begin();
            turn = index;
          }
          reader.push(text);
        }
      };
      const answer = await this.engine.run(
        { ...request, tools: [], hosted: [], input },
        new DeltaEmitter(telling.streams ? hear : undefined, telling, () => {
          listener.retake?.();
          reader = begin();
        }),
      );
      if (answer.failure) throw answer.failure;
      if (!telling.streams) reader.push(answer.text ?? '');
      const read = reader.end();
      return { ...answer, read };
    };
    const { maxTurns } = this.engine;
    return converse(request, telling, maxTurns, async (last, choice) => {
      const asked = instructions && instructions + choiceInWords(choice);
      let answer = await ask(last ? NO_MORE_CALLS : asked);
      const faults = faultsOf(answer.read);
      if (faults.length > 0 && !repaired && !last) {
        repaired = true;
        messages.push(saidBy(answer.read), repairMessage(faults));
        const { usage } = answer;
        const again = new SecondTry(telling);
        answer = await ask(instructions, again);
        again.end(answer.read.calls.length === 0);
        answer.usage = addUsage(usage, answer);
      }
      const { text, read, responseId, usage } = answer;
      const isAnswer = last || read.calls.length === 0;
      return {
        id: responseId,
        usage,
        calls: () => {
          if (!last) this.note(request.model, read, names);
          return read.calls.map(({ name, arguments: args }) => ({
            callId: newCallId(),
            name,
            arguments: args,
          }));
        },
        // The protocol has its own calls, too: after one of them there may be nothing left to say.
        said: () => ({
          text: text === null ? null : isAnswer ? read.text : telling.text,
          // The endpoint may tell it apart from the answer, or the model within that.
          thinking: joinThinking(answer.thinking, read.thinking ?? ''),
        }),
        add: (outputs) => {
          const called = read.calls.map(({ name }) => name);
          messages.push(saidBy(read), resultsMessage(called, outputs));
        },
      };
    });
  }

  /** Names of tools that there are, and nothing else that the model wrote. */
  private note(
    model: string,
    { calls }: PromptedAnswer,
    tools: ReadonlySet<string>,
  ): void {
    if (calls.length === 0) return;
    const names = calls.map(({ name }) => (tools.has(name) ? name : 'unknown'));
    this.log.log(`${model} called ${names.join(', ')} by prompt`);
  }
}

function faultsOf({ calls }: PromptedAnswer): string[] {
  return calls.flatMap(({ fault = [] }) => fault);
}

function saidBy({ said }: PromptedAnswer): Message {
  return { role: 'assistant', contents: [{ type: 'text', text: said }] };
}

/** What others than the model said. */
function heardIn(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ contents }) => textOf(contents));
}

/**
 * Tells what a model says when it is asked for its calls again. What it repeats of its first try is not told twice;
 * anything else begins a part of its own.
 */
export class SecondTry implements PromptedListener {
  private readonly before: string;
  private kept = '';
  private repeats = true;

  constructor(private readonly telling: DeltaEmitter) {
    this.before = telling.text;
  }

  say(text: string): void {
    if (!this.repeats) return this.telling.say(text);
    this.kept += text;
    if (this.before.startsWith(this.kept)) return;
    this.repeats = false;
    if (this.kept.startsWith(this.before)) {
      this.telling.say(this.kept.slice(this.before.length));
    } else {
      this.tellKept();
    }
  }

  /** The second try itself is taken again. */
  retake(): void {
    this.kept = '';
    this.repeats = true;
  }

  think(words: string): void {
    this.telling.think(words);
  }

  /** An answer that only begins as the first try did is another one; beside calls it is nothing new. */
  end(isAnswer: boolean): void {
    const isShorter = this.repeats && this.kept !== this.before;
    if (isAnswer && isShorter) this.tellKept();
  }

  private tellKept(): void {
    this.telling.beginTurn();
    this.telling.say(this.kept);
  }
}
