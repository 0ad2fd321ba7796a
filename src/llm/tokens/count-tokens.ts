import { hash } from 'node:crypto';
import { estimateTokenCount, type LanguageConfig } from 'tokenx';

/** Tokens of a text by script; or, for a model with a vocabulary of its own, by what such an estimate is multiplied. */
export interface TokenFactors {
  /** In Chinese, Japanese or Korean script. */
  readonly cjk: number;
  readonly other: number;
}

/** What the library takes for a word of a Latin script: encoded data, and scripts of which vocabularies hold few words. */
const SHORT_TOKENS: LanguageConfig[] = [
  { pattern: /^[\w+/=]{25,}$/, averageCharsPerToken: 2 },
  { pattern: /[\u0530-\u10ff\u1200-\u1fff]/, averageCharsPerToken: 2 },
];
/** Characters of a token, of the vocabulary that the library was fitted to. */
const HANGUL = 1.65;
const KANA = 1.35;
const HAN = 1.2;
/** What a chat template puts around a message. */
const PER_MESSAGE = 4;
/** Lines whose counts are remembered: a prompt is counted again and again with some lines more or less. */
const MAX_REMEMBERED = 20_000;

/**
 * An estimate, in time proportional to the text: real vocabularies take seconds for some pages. It depends on nothing but
 * its arguments.
 */
export function countTokens(text: string, factors: TokenFactors): number {
  const { cjk, other } = estimate(text);
  return Math.ceil(cjk * factors.cjk + other * factors.other);
}

/** Of a prompt, for all its texts: messages, and the schema if there is one. */
export function estimatePrompt(texts: readonly string[]): TokenFactors {
  let [cjk, other] = [0, PER_MESSAGE * texts.length];
  for (const text of texts) {
    const part = estimate(text);
    cjk += part.cjk;
    other += part.other;
  }
  return { cjk, other };
}

function estimate(text: string): TokenFactors {
  // Where a line begins without white space, the count of the text is that of its lines. Short ones are not worth a look-up.
  const lines = text.split(/(?<=[^\n]{60}\n)(?=\S)/);
  const all = lines.reduce((sum, line) => sum + tokensOf(line), 0);
  const cjk = Math.min(all, cjkTokens(text));
  return { cjk, other: all - cjk };
}

/** By the hash of the line: no text is kept. */
const remembered = new Map<string, number>();

function tokensOf(line: string): number {
  const key = hash('sha256', line, 'base64');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const count = estimateTokenCount(line, { languageConfigs: SHORT_TOKENS });
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, count);
  return count;
}

function cjkTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0xac00 && code <= 0xd7a3) tokens += 1 / HANGUL;
    else if (code >= 0x1100 && code <= 0x11ff) tokens += 1 / HANGUL;
    else if (code >= 0x3040 && code <= 0x30ff) tokens += 1 / KANA;
    else if (code >= 0x3400 && code <= 0x9fff) tokens += 1 / HAN;
  }
  return tokens;
}
