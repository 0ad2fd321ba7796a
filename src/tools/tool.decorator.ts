import 'reflect-metadata';
import type { z } from 'zod';
import type { ToolContext } from './tool';
import type { ToolOptions } from './tool.definition';

type Run<P extends z.ZodObject> = (
  args: z.infer<P>,
  context: ToolContext,
) => unknown;

interface ToolDecorator<P extends z.ZodObject> {
  /** A provider that is one tool: its method `run` does the work. */
  (target: abstract new (...args: never[]) => { run: Run<P> }): void;
  /** A method of a provider, which may hold several tools. */
  <M extends Run<P>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

const METADATA = Symbol('sonde:tools');

/** A tool that a provider declares. */
export interface Declaration {
  options: ToolOptions;
  method: string;
}

/** Makes a provider, or a method of one, a tool that models and HTTP callers can call. */
export function Tool<P extends z.ZodObject>(
  options: ToolOptions<P>,
): ToolDecorator<P> {
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

/** What a class declares, and those above it but for what it declares anew; nothing for most. */
export function declarationsOf(owner: object): Declaration[] {
  const own = ownOf(owner);
  const above = Object.getPrototypeOf(owner) as object | null;
  const inherited = above ? declarationsOf(above) : [];
  const isAnew = ({ method }: Declaration) =>
    own.some((one) => one.method === method);
  return [...inherited.filter((one) => !isAnew(one)), ...own];
}

function ownOf(owner: object): Declaration[] {
  return (Reflect.getOwnMetadata(METADATA, owner) ?? []) as Declaration[];
}
