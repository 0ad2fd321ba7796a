import type { NewTextReader } from '../turns/text-reader';
import { AnswerParser } from './answer-parser';
import { StrayCall } from './call-policy';
import { OfferedTools } from './written/offered-tools';

/** The text of a model with function calling, in which it may think, or write a call of an offered tool after all. */
export const readStrayText: NewTextReader = (tools, inputs, listener) => {
  if (tools.length === 0) return new AnswerParser(null, [], listener);
  const offered = new OfferedTools(tools);
  const policy = new StrayCall(offered);
  const parser = new AnswerParser(offered.names, inputs, listener, policy);
  return {
    push: (text) => parser.push(text),
    end: () => {
      const { calls, ...read } = parser.end();
      // The schema of a tool is neither a call nor an answer.
      return { ...read, calls: calls.filter(({ fault }) => !fault) };
    },
  };
};
