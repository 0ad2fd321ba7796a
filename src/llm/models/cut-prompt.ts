import { Logger } from '@nestjs/common';
import { isCutPrompt } from '../tokens/token-counter';
import { contextExceeded } from '../upstream/upstream-error';
import { learntContext, noteContext } from './context-window';
import type { LearntModels } from './learnt-models';

/** Where requests of either protocol have what a model reads. */
const READ =
  /^(text|content|output|arguments|instructions|name|description|\d+)$/;
/** What a tool takes is read as JSON. */
const SCHEMA = 'parameters';
/** Of longer prompts, the beginning is counted. */
const MAX_CHARS = 200_000;
const log = new Logger('Models');

/**
 * Learns the context of a model whose endpoint read only a part of a prompt, its tools included, as Ollama does without an
 * error. Logged once for each context: a chat cannot be made shorter, so its operator has to know.
 * @param prompt the request, in the form of its protocol.
 * @param inputTokens as the endpoint reports them.
 */
export function noteCutPrompt(
  learnt: LearntModels,
  model: string,
  prompt: object,
  inputTokens = 0,
): void {
  if (!isCutPrompt(() => textsOf(prompt), inputTokens)) return;
  const isNews = learntContext(learnt, model) !== inputTokens;
  noteContext(learnt, model, contextExceeded('unknown', {}, inputTokens));
  if (isNews)
    log.warn(
      `${model} read only ${inputTokens} tokens of a longer prompt: its server cuts prompts to that context without an error`,
    );
}

function textsOf(prompt: object): string[] {
  const texts: string[] = [];
  let left = MAX_CHARS;
  const add = (text: string): void => {
    if (left > 0) texts.push(text.slice(0, left));
    left -= text.length;
  };
  JSON.stringify(prompt, (key, value: unknown) => {
    if (key === SCHEMA) return add(JSON.stringify(value) ?? '');
    if (typeof value === 'string' && READ.test(key)) add(value);
    return value;
  });
  return texts;
}
