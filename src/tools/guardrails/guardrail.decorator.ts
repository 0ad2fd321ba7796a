import 'reflect-metadata';
import type { Checker, Stage } from './guardrail';

export interface GuardrailOptions {
  /** 1 to 64 letters, digits, `_` or `-`. The response to a refused request names it. */
  name: string;
  /**
   * Names of tools, `files__*` for all with this prefix: the guardrail checks their arguments (input) or results (output).
   * Without `tools` it checks the input of the user, or the answer.
   */
  tools?: readonly string[];
}

/** A guardrail that a class declares. */
export interface Declaration extends GuardrailOptions {
  stage: Stage;
}

type GuardrailDecorator = (
  target: abstract new (...args: never[]) => Checker,
) => void;

const METADATA = Symbol('sonde:guardrails');

/** Declares a provider as a guardrail of the input or, with `tools`, of the arguments of tools. */
export function InputGuardrail(options: GuardrailOptions): GuardrailDecorator {
  return declare(options, options.tools ? 'tool_input' : 'input');
}

/** Declares a provider as a guardrail of the answer or, with `tools`, of the results of tools. */
export function OutputGuardrail(options: GuardrailOptions): GuardrailDecorator {
  return declare(options, options.tools ? 'tool_output' : 'output');
}

function declare(options: GuardrailOptions, stage: Stage): GuardrailDecorator {
  return (target) =>
    // Decorators run from the last to the first.
    Reflect.defineMetadata(
      METADATA,
      [{ ...options, stage }, ...ownOf(target)],
      target,
    );
}

/** The declarations of a class and of its ancestors. A declaration replaces the inherited ones of its stage. */
export function declarationsOf(owner: object): Declaration[] {
  const own = ownOf(owner);
  const parent = Object.getPrototypeOf(owner) as object | null;
  const inherited = parent ? declarationsOf(parent) : [];
  const isReplaced = ({ stage }: Declaration) =>
    own.some((one) => one.stage === stage);
  return [...inherited.filter((one) => !isReplaced(one)), ...own];
}

function ownOf(owner: object): Declaration[] {
  return (Reflect.getOwnMetadata(METADATA, owner) ?? []) as Declaration[];
}
