import type { ModelRole } from '../../../config/settings/models/role-models';
import type { FieldError } from '../../../platform/errors';
import { countTokens } from '../../../llm/tokens/count-tokens';
import type { Depth } from '../../arguments/budget';
import type { ResearchArguments } from '../../arguments/research-arguments';
import type { AgentModel } from '../agent-ports';
import { notesPrompt } from '../prompts/notes.prompt';
import { planPrompt } from '../prompts/plan.prompt';
import { jsonSchemaOf, messagesOf, type RolePrompt } from '../prompts/prompt';
import { scopePrompt } from '../prompts/scope.prompt';
import { wishesOf } from '../prompts/wishes';
import { OVERHEAD, SHARE } from './role-call';
import { type Amount, amountOf } from '../budget/allowance';
import {
  inputLimitOf,
  outputLimitOf,
  WRITING_RESERVE,
} from '../budget/call-limits';
import { DEPTH_LIMITS } from '../budget/depths';

type Args = Pick<
  ResearchArguments,
  | 'research_question'
  | 'system_prompt'
  | 'constraints'
  | 'context'
  | 'deliverable_format'
  | 'previous_invocation_id'
  | 'depth'
  | 'budget'
>;
type Models = Record<ModelRole, AgentModel>;

/** A limit of tokens or money with which a run would pay for its plan and then could not read one page. */
export function budgetFault(
  args: Args,
  models: Models,
): FieldError | undefined {
  const { depth = 'auto', budget = {} } = args;
  const [least, quick] = (['deep', 'quick'] as const).map((auto) =>
    leastOf(args, depth === 'auto' ? auto : depth, models),
  );
  const faultOf = (limit: keyof typeof budget, amount: keyof Amount) => {
    const [given = Infinity, needed] = [budget[limit], least[amount]];
    if (given >= needed) return undefined;
    const isAuto = depth === 'auto';
    const which = isAuto ? 'auto, which may become deep' : depth;
    const other = isAuto
      ? `; at the depth quick, at least ${quick[amount]}`
      : '';
    return {
      path: `arguments.budget.${limit}`,
      message: `must be at least ${needed} at the depth ${which}: with less, nothing could be read${other}`,
    };
  };
  return faultOf('max_tokens', 'tokens') ?? faultOf('max_cost_usd', 'costUsd');
}

/** What the brief, the plan and one page use at most, beside what is kept for writing. Choosing gives way to a page. */
function leastOf(args: Args, depth: Depth, models: Models): Amount {
  const calls = DEPTH_LIMITS[depth].windows + 1;
  const output = outputLimitOf(models.reader, notesPrompt.maxTokens);
  const input = inputLimitOf(models.reader, output);
  const parts = [
    amountOf(models.reader, input * calls, output * calls),
    frameCall(args, scopePrompt, 0, models),
    frameCall(args, planPrompt, scopePrompt.maxTokens, models),
  ];
  const least = (of: keyof Amount, unit: number) => {
    const sum = parts.reduce((total, part) => total + part[of], 0);
    return Math.ceil(sum / (1 - WRITING_RESERVE) / unit);
  };
  return {
    tokens: least('tokens', 1_000) * 1_000,
    costUsd: least('costUsd', 0.0001) / 10_000,
  };
}

/** @param more tokens of other blocks. */
function frameCall(
  args: Args,
  prompt: RolePrompt<unknown>,
  more: number,
  models: Models,
): Amount {
  const model = models[prompt.model];
  const output = outputLimitOf(model, prompt.maxTokens);
  const share = Math.floor(inputLimitOf(model, output) * SHARE);
  const tokens = (text: string) => countTokens(text, model.factors);
  const fixed = [
    ...messagesOf(prompt, []).map(({ content }) => content),
    JSON.stringify(jsonSchemaOf(prompt.schema)),
  ];
  const input =
    tokens(fixed.join('\n')) +
    Math.min(share, tokens(args.research_question)) +
    Math.min(share, tokens(wishesOf({ args }))) +
    (args.previous_invocation_id === undefined ? 0 : share) +
    more +
    OVERHEAD;
  return amountOf(model, input, output);
}
