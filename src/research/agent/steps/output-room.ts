import type { Message } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { type Allowance, type Amount, amountOf } from '../budget/allowance';
import { contextRoomOf } from '../budget/call-limits';
import type { RolePrompt } from '../prompts/prompt';

export interface Room {
  /** The output limit of the attempt. */
  maxTokens: number;
  /** Whether a larger one is possible. */
  mayGrow: boolean;
  /** What the attempt uses at most. */
  largest: Amount;
}

/**
 * The room for an answer with the reasoning before it: as much as the model is known to need, within its context and the
 * allowance; doubled after each attempt that was all reasoning. No part of the input of the step, and of no decision: what is known differs between workers.
 */
export function roomOf(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  { left }: Allowance,
  of: { inputTokens: number; maxTokens: number; growths: number },
): Room {
  const model = run.model(prompt.model);
  const { inputTokens, maxTokens: least, growths } = of;
  const each = amountOf(model, 0, 1).costUsd;
  const spare = left.costUsd - amountOf(model, inputTokens, 0).costUsd;
  const most = Math.max(
    least,
    Math.min(
      contextRoomOf(model, inputTokens),
      left.tokens - inputTokens,
      each > 0 ? Math.floor(spare / each) : Infinity,
    ),
  );
  const known = run.ports.complete.outputTokens?.(model.name) ?? 0;
  const maxTokens = Math.min(most, Math.max(least * 2 ** growths, known));
  const largest = amountOf(model, inputTokens, maxTokens);
  return { maxTokens, mayGrow: maxTokens < most, largest };
}

/** Without the margin of an estimate of what fits. */
const PLAIN = { cjk: 1, other: 1 };

/** What a call used whose endpoint reports nothing, from its texts. */
export function estimatedUsage(
  { ports }: AgentRun,
  messages: readonly Message[],
  text: string,
): { input_tokens: number; output_tokens: number } {
  const prompt = messages.map(({ content }) => content).join('\n');
  return {
    input_tokens: ports.countTokens(prompt, PLAIN),
    output_tokens: ports.countTokens(text, PLAIN),
  };
}
