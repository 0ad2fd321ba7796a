import 'reflect-metadata';
import type { Checker, Stage } from './guardrail';

export interface GuardrailOptions {
  /** 1 to 64 letters, digits, `_` or `-`. The reply that it refused names it. */
  name: string;
  /**
   * Names of tools, `files__*` for all that begin so: it guards what these are given (input) or give (output). Without,
   * it guards what the user says, or what is answered.
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

/** Makes a provider a guardrail of what goes to the model, or to tools. */
export function InputGuardrail(options: GuardrailOptions): GuardrailDecorator {
  return declare(options, options.tools ? 'tool_input' : 'input');
}

/** Makes a provider a guardrail of what is answered, or of what tools give. */
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

/** What a class declares, and those above it but for the stages that it declares anew. */
export function declarationsOf(owner: object): Declaration[] {
  const own = ownOf(owner);
  const above = Object.getPrototypeOf(owner) as object | null;
  const inherited = above ? declarationsOf(above) : [];
  const isAnew = ({ stage }: Declaration) =>
    own.some((one) => one.stage === stage);
  return [...inherited.filter((one) => !isAnew(one)), ...own];
}

function ownOf(owner: object): Declaration[] {
  return (Reflect.getOwnMetadata(METADATA, owner) ?? []) as Declaration[];
}
