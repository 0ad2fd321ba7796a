import { z } from 'zod';
import { isObject } from '../../platform/message/call-arguments';
import type { JsonSchema } from '../../platform/message/tool-description';
import type { Tool } from '../tool';
import { ToolError } from '../tool-error';
import { withoutNulls } from './without-nulls';

/** A value of `tool_context` that a tool cannot use. */
export interface ContextFault {
  /** e.g. `tool_context.latitude`. */
  path: string;
  message: string;
  /** The request does not have it. */
  isMissing: boolean;
}

/** What of the `tool_context` of a request does not fit the schema of a tool; empty for a tool without one. */
export function contextFaults(
  { contextSchema }: Pick<Tool, 'contextSchema'>,
  context: object | null | undefined,
): ContextFault[] {
  const issues = contextSchema?.safeParse(context ?? {}).error?.issues ?? [];
  return issues.map(({ path, message }) => ({
    path: ['tool_context', ...path].join('.'),
    message,
    isMissing: (at(context, path) ?? null) === null,
  }));
}

/** The schema of a tool for what a request gives: null means absent. */
export function givenContext(
  schema: z.ZodObject,
  described: JsonSchema,
): z.ZodType<Record<string, unknown>> {
  return z.preprocess(
    (given) => (isObject(given) ? withoutNulls(given, described) : given),
    schema,
  );
}

/** A tool that gets `toolContext` as its schema has it. */
export function withContext(
  schema: z.ZodType<Record<string, unknown>>,
  run: NonNullable<Tool['run']>,
): NonNullable<Tool['run']> {
  return async (args, context) => {
    const given = context.toolContext;
    const { data: toolContext } = schema.safeParse(given ?? {});
    if (toolContext) return run(args, { ...context, toolContext });
    const paths = contextFaults({ contextSchema: schema }, given).map(
      ({ path }) => path,
    );
    throw new ToolError(
      'CONTEXT_REQUIRED',
      `The request does not have what the tool needs: ${[...new Set(paths)].join(', ')}.`,
    );
  };
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (inner, key) =>
      isObject(inner) || Array.isArray(inner)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}
