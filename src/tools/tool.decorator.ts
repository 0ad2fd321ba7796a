import 'reflect-metadata';
import type { z } from 'zod';
import type { ContextOf } from './tool';
import type { ToolOptions } from './tool-definition';

type Run<P extends z.ZodObject, C> = (
  args: z.infer<P>,
  context: ContextOf<C>,
) => unknown;

interface ToolDecorator<P extends z.ZodObject, C> {
  /** On a class: the provider is one tool, whose method `run` does the work. */
  (target: abstract new (...args: never[]) => { run: Run<P, C> }): void;
  /** On a method: a provider may have several tools. */
  <M extends Run<P, C>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

const METADATA = Symbol('sonde:tools');

/** A tool declared by a provider. */
export interface Declaration {
  options: ToolOptions;
  method: string;
}

/** Declares a provider, or one of its methods, as a tool that models and HTTP callers can call. */
export function Tool<
  P extends z.ZodObject,
  C extends z.ZodObject | undefined = undefined,
>(options: ToolOptions<P, C>): ToolDecorator<P, C> {
  return (target: object, method?: string) => {
    const owner =
      method === undefined ? target : (target.constructor as object);
    const declared = ownOf(owner);
    Reflect.defineMetadata(
      METADATA,
      [...declared, { options, method: method ?? 'run' }],
      owner,
    );
  };
}

/** The tools that a class declares or inherits; an overridden method is declared once. */
export function declarationsOf(owner: object): Declaration[] {
  const own = ownOf(owner);
  const above = Object.getPrototypeOf(owner) as object | null;
  const inherited = above ? declarationsOf(above) : [];
  const isOverridden = ({ method }: Declaration) =>
    own.some((one) => one.method === method);
  return [...inherited.filter((one) => !isOverridden(one)), ...own];
}

function ownOf(owner: object): Declaration[] {
  return (Reflect.getOwnMetadata(METADATA, owner) ?? []) as Declaration[];
}
