import type { AgentRun } from '../agent-run';
import { fittingPrevious } from '../../arguments/previous-report';
import type { ResearchTask } from '../agent.types';
import {
  askedOf,
  type Blocks,
  cut,
  jsonSchemaOf,
  messagesOf,
  type RolePrompt,
} from '../prompts/prompt';
import { wishesOf } from '../prompts/wishes';
import type { Call } from './model-step';

/** What a request adds to its texts, and the date. */
export const OVERHEAD = 60;
/** The share of a prompt that the question may fill, and likewise the wishes and the text that is written. */
export const SHARE = 0.25;

/** A call of a role with these blocks. */
export function callOf<T>(
  run: AgentRun,
  prompt: RolePrompt<T>,
  blocks: Blocks,
  detail: string,
): Call<T, T> {
  return {
    prompt,
    input: blocks,
    inputTokens: fixedTokens(run, prompt, blocks),
    messages: (fault, system = prompt.system) =>
      messagesOf({ system }, blocks, run.today, fault),
    keep: (answer) => answer,
    detail,
  };
}

/** A progress event with the title of its section, if it has one: not where a guardrail checks what a model has written. */
export function titled(
  { ports }: AgentRun,
  what: string,
  title: string,
): string {
  return title && !ports.guard ? `${what}: ${title}` : what;
}

/** Whether a prompt with these blocks fits the context of its model. */
export function fitsContext(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  blocks: Blocks,
): boolean {
  return roomBeside(run, prompt, blocks) >= 0;
}

/** The tokens that a prompt with these blocks has left. */
export function roomBeside(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  blocks: Blocks,
): number {
  return inputLimit(run, prompt) - fixedTokens(run, prompt, blocks);
}

/** Whether a text keeps within the share of a prompt that one block may fill. */
export function fitsShare(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  text: string,
): boolean {
  const share = Math.floor(inputLimit(run, prompt) * SHARE);
  return run.tokens(prompt.model, text) <= share;
}

function inputLimit(run: AgentRun, prompt: RolePrompt<unknown>): number {
  const output = run.outputLimit(prompt.model, prompt.maxTokens);
  return run.inputLimit(prompt.model, output);
}

function fixedTokens(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  blocks: Blocks,
): number {
  const { system, schema: asked } = askedOf(prompt, run.model(prompt.model));
  // `OVERHEAD` has room for the date: how much of a page is read at once must not depend on it.
  const texts = messagesOf({ system }, blocks).map(({ content }) => content);
  // An endpoint without schemas gets it as text. Without lengths, as earlier releases count it: what a run reads depends on it.
  const schema = JSON.stringify(jsonSchemaOf(asked), withoutLengths);
  return run.tokens(prompt.model, [...texts, schema].join('\n')) + OVERHEAD;
}

function withoutLengths(key: string, value: unknown): unknown {
  return key === 'maxLength' ? undefined : value;
}

/** The blocks `question` and `wishes`, each within its share of the prompt. */
export function userBlocks(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
): readonly (readonly [name: string, content: string])[] {
  return run.cached(`user:${prompt.name}`, () => makeUserBlocks(run, prompt));
}

/** The block `previous`: the earlier report that the question follows up, within its share of the prompt. */
export function previousBlocks(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
): Blocks {
  const { previous } = run.task.args;
  if (!previous) return [];
  const text = fittingPrevious(previous, (content) =>
    fitsShare(run, prompt, content),
  );
  return text === undefined ? [] : [['previous', text]];
}

function makeUserBlocks(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
): [name: string, content: string][] {
  const fits = (content: string): boolean => fitsShare(run, prompt, content);
  return [
    ['question', shortened(run.task.args.research_question, fits)],
    ['wishes', fittingWishes(run.task, fits)],
  ];
}

/** The wishes without what does not fit: first facts and constraints from the end, then the tail of the system prompt. */
function fittingWishes(
  task: ResearchTask,
  fits: (content: string) => boolean,
): string {
  let { args } = task;
  while (!fits(wishesOf({ ...task, args }))) {
    const { context, constraints, system_prompt } = args;
    if (context?.length) args = { ...args, context: context.slice(0, -1) };
    else if (constraints?.length)
      args = { ...args, constraints: constraints.slice(0, -1) };
    else if (system_prompt) {
      const half = cut(system_prompt, Math.floor(system_prompt.length / 2));
      args = { ...args, system_prompt: half };
    } else break;
  }
  return wishesOf({ ...task, args });
}

function shortened(text: string, fits: (content: string) => boolean): string {
  let short = text;
  while (!fits(short) && short !== '')
    short = cut(short, Math.floor(short.length * 0.8));
  return short;
}
