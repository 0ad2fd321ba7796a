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
import { PART_ROOM } from './notes-step';
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

/** Tokens of the tags of the blocks, and of the limits that stand beside a brief. */
const TAGS = 100;

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
      code: 'too_small' as const,
      bound: needed,
    };
  };
  return faultOf('max_tokens', 'tokens') ?? faultOf('max_cost_usd', 'costUsd');
}

/** What the brief, the plan and one page use at most, beside what is kept for writing. Choosing gives way to a page. */
function leastOf(args: Args, depth: Depth, models: Models): Amount {
  const calls = DEPTH_LIMITS[depth].windows + 1;
  const brief = scopePrompt.maxTokens;
  const page = callAmount(models, notesPrompt, brief + PART_ROOM);
  const parts = [
    callAmount(models, scopePrompt, askedTokens(args, scopePrompt, models)),
    callAmount(
      models,
      planPrompt,
      askedTokens(args, planPrompt, models) + brief,
    ),
    ...Array<Amount>(calls).fill(page),
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

/** @param given tokens of its blocks. */
function callAmount(
  models: Models,
  prompt: RolePrompt<unknown>,
  given: number,
): Amount {
  const model = models[prompt.model];
  const fixed = [
    ...messagesOf(prompt, []).map(({ content }) => content),
    JSON.stringify(jsonSchemaOf(prompt.schema)),
  ].join('\n');
  const input = countTokens(fixed, model.factors) + given + OVERHEAD + TAGS;
  return amountOf(model, input, outputLimitOf(model, prompt.maxTokens));
}

/** The question, the wishes, and the report that the question follows up. */
function askedTokens(
  args: Args,
  { model: role, maxTokens }: RolePrompt<unknown>,
  models: Models,
): number {
  const model = models[role];
  const output = outputLimitOf(model, maxTokens);
  const share = Math.floor(inputLimitOf(model, output) * SHARE);
  const within = (text: string) =>
    Math.min(share, countTokens(text, model.factors));
  return (
    within(args.research_question) +
    within(wishesOf({ args })) +
    (args.previous_invocation_id === undefined ? 0 : share)
  );
}
