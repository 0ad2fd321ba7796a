import { randomUUID } from 'node:crypto';
import { AppError } from '../errors';
import type { Message } from '../message/message';
import { textOf } from '../message/part.text';
import type { CompletionsEngine } from './completions.engine';
import { converse } from './conversation.loop';
import { addUsage, type ModelAnswer, type ModelRequest } from './model.answer';
import { type PromptedAnswer, readPromptedAnswer } from './prompt.calls';
import {
  NO_MORE_CALLS,
  repairMessage,
  resultsMessage,
  toolInstructions,
  toPromptMessages,
  withInstructions,
} from './prompt.messages';
import type { ResponsesEngine } from './responses.engine';

/** Tools for models without them: described in the prompt, called by JSON in the answer, over either protocol. */
export class PromptEngine {
  constructor(private readonly engine: ResponsesEngine | CompletionsEngine) {}

  /**
   * Only what the model itself answers is read as a call. One that cannot be read is asked for again, once.
   * @throws the signal's reason, or what `callTool` throws. A failing turn is part of the answer.
   */
  run(request: ModelRequest): Promise<ModelAnswer> {
    const messages = toPromptMessages(request.input);
    const names = new Set(request.tools.map(({ name }) => name));
    const instructions =
      names.size > 0 ? toolInstructions(request.tools) : null;
    let repaired = false;
    const ask = async (told: string | null) => {
      const input = told ? withInstructions(told, messages) : messages;
      const answer = await this.engine.run({ ...request, tools: [], input });
      if (answer.failure) throw answer.failure;
      const read = readPromptedAnswer(
        answer.text ?? '',
        names,
        messages
          .filter(({ role }) => role === 'user')
          .map(({ contents }) => textOf(contents)),
      );
      return {
        ...answer,
        // Who was told of no tools calls none.
        read: told ? read : { ...read, calls: [], text: read.said },
      };
    };
    return converse(request, async (last) => {
      let answer = await ask(last ? NO_MORE_CALLS : instructions);
      const faults = faultsOf(answer.read);
      if (faults.length > 0 && !repaired && !last) {
        repaired = true;
        messages.push(saidBy(answer.read), repairMessage(faults));
        const { usage } = answer;
        answer = await ask(instructions);
        answer.usage = addUsage(usage, answer);
      }
      const { text, read, responseId, usage } = answer;
      return {
        id: responseId,
        usage,
        calls: () =>
          read.calls.map(({ name, arguments: args }) => ({
            callId: `call_${randomUUID()}`,
            name,
            arguments: args,
          })),
        // The protocol has its own calls, too: after one of them there may be nothing left to say.
        text: () => (text === null ? null : answerIn(read)),
        add: (outputs) => {
          const called = read.calls.map(({ name }) => name);
          messages.push(saidBy(read), resultsMessage(called, outputs));
        },
      };
    });
  }
}

function faultsOf({ calls }: PromptedAnswer): string[] {
  return calls.flatMap(({ fault = [] }) => fault);
}

function saidBy({ said }: PromptedAnswer): Message {
  return { role: 'assistant', contents: [{ type: 'text', text: said }] };
}

function answerIn({ text }: PromptedAnswer): string {
  if (text === '') throw new AppError('empty_output');
  return text;
}
