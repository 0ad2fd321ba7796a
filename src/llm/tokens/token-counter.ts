import { Injectable } from '@nestjs/common';
import { estimatePrompt, type TokenFactors } from './count-tokens';

/** High on purpose: a prompt that is too long is refused, one that is too short only lacks some notes. */
export const UNKNOWN_MODEL: TokenFactors = { cjk: 2, other: 1.3 };
/** Limits of a factor: beyond them, a gateway counts something else than the prompt. */
const MIN = 0.7;
/** Contexts are multiples of it. */
const CONTEXT_UNIT = 256;
const MAX = 4;
/** How far a factor follows one observation: further up than down, for the same reason. */
const UP = 0.6;
const DOWN = 0.2;
/** Prompts of fewer tokens say more about the chat template than about the vocabulary. */
const MIN_TOKENS = 200;
/** Names of models come from outside. */
const MAX_MODELS = 500;

/** How many tokens a text has for a model. It learns from the usage that the endpoint reports. */
@Injectable()
export class TokenCounter {
  private readonly learnt = new Map<string, TokenFactors>();

  /**
   * The factors of a model as they are now. Whatever has to be repeatable, such as the prompts of a run that another worker
   * may continue, keeps them and counts with `countTokens`.
   */
  factorsOf(model: string): TokenFactors {
    return this.learnt.get(model) ?? UNKNOWN_MODEL;
  }

  /**
   * @param texts all texts of the prompt.
   * @param tokens as the endpoint counted them.
   */
  learn(model: string, texts: readonly string[], tokens: number): void {
    const factors = this.factorsOf(model);
    const { cjk, other } = estimatePrompt(texts);
    const expected = cjk * factors.cjk + other * factors.other;
    if (!(Math.min(tokens, expected) >= MIN_TOKENS)) return;
    const ratio = tokens / expected;
    const step = ratio > 1 ? UP : DOWN;
    // Most of the difference is due to the script that most of the text is in.
    const share = (cjk * factors.cjk) / expected;
    const moved = (factor: number, part: number): number =>
      Math.min(MAX, Math.max(MIN, factor * ratio ** (step * part)));
    this.learnt.delete(model);
    this.learnt.set(model, {
      cjk: moved(factors.cjk, share),
      other: moved(factors.other, 1 - share),
    });
    const [oldest] = this.learnt.keys();
    if (this.learnt.size > MAX_MODELS) this.learnt.delete(oldest);
  }
}

/**
 * Whether the endpoint read only a part of the prompt, as Ollama does without an error: exactly its context, and fewer tokens
 * than the prompt has by any vocabulary.
 * @param texts of the prompt, which are counted only where that is likely.
 */
export function isCutPrompt(
  texts: () => readonly string[],
  tokens: number,
): boolean {
  if (!(tokens >= MIN_TOKENS && tokens % CONTEXT_UNIT === 0)) return false;
  const { cjk, other } = estimatePrompt(texts());
  return tokens < (cjk + other) * MIN;
}
