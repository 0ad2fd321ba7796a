import { z } from 'zod';
import type { JsonSchema } from '../platform/message/tool-description';
import { givenContext, withContext } from './schemas/context-schema';
import { strictSchema } from './schemas/strict-schema';
import type { Tool, ToolAnnotations } from './tool';
import { ToolError } from './tool-error';

/** The declaration of a tool by its author. */
export interface ToolOptions<
  P extends z.ZodObject = z.ZodObject,
  C extends z.ZodObject | undefined = z.ZodObject | undefined,
> {
  /** 1 to 64 letters, digits, `_` or `-`. */
  name: string;
  /** Describes to the model what it does and when to call it. */
  description: string;
  /** The arguments. The text of `.describe()` reaches the model. */
  parameters: P;
  /** What it reads of the `tool_context` of a request; what else that has is left out. */
  context?: C;
  /** Validates a result before it is returned. */
  returns?: z.ZodType;
  /** Arguments that callers may pass but models never see. */
  hidden?: (keyof z.infer<P> & string)[];
  returnDirect?: boolean;
  /** Whether calls by a model need approval by a person, as with `annotations.destructiveHint`. */
  needsApproval?: Tool['needsApproval'];
  onError?: Tool['onError'];
  timeoutMs?: number;
  annotations?: ToolAnnotations;
  internal?: boolean;
  needsDocuments?: Tool['needsDocuments'];
}

/** @throws Error with one sentence that names the tool, the error and the remedy. */
export function defineTool(
  options: ToolOptions,
  parts: Pick<Tool, 'run' | 'check'>,
): Tool {
  const { name, description, parameters, context, returns } = options;
  const { hidden = [] } = options;
  const reject = (fault: string): never => {
    throw new Error(`The tool "${name}" ${fault}.`);
  };
  const inJson = <T>(what: string, describe: () => T): T => {
    try {
      return describe();
    } catch (fault) {
      return reject(
        `has ${what} (${(fault as Error).message}): describe every value with a type that JSON has`,
      );
    }
  };
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    reject('has a name that is not 1 to 64 letters, digits, _ or -: rename it');
  if (typeof description !== 'string' || description.trim() === '')
    reject('has no description: describe what it does and when to call it');
  if (!(parameters instanceof z.ZodObject))
    reject('has parameters that are not a z.object(…): make them one');
  if (context !== undefined && !(context instanceof z.ZodObject))
    reject('has a context that is not a z.object(…): make it one');
  // Unknown arguments are refused, even if the author of the tool allows them.
  const argumentsSchema = parameters.strict();
  const offered = z.strictObject(
    Object.fromEntries(
      Object.entries(parameters.shape).filter(([key]) => !hidden.includes(key)),
    ),
  );
  const contextSchema =
    context &&
    inJson('a context that cannot be described', () =>
      givenContext(context, jsonSchemaOf(context, 'input')),
    );
  return {
    name,
    description,
    source: 'builtin',
    argumentsSchema,
    ...inJson('parameters that cannot be described to a model', () => ({
      parameters: jsonSchemaOf(argumentsSchema, 'input'),
      offered: {
        name,
        description,
        parameters: strictSchema(jsonSchemaOf(offered, 'input')),
      },
    })),
    ...(returns && {
      returns: inJson('a result that cannot be described', () =>
        jsonSchemaOf(returns, 'output'),
      ),
    }),
    ...(contextSchema && { contextSchema }),
    annotations: options.annotations ?? {},
    returnDirect: options.returnDirect ?? false,
    needsApproval: options.needsApproval,
    onError: options.onError ?? 'tell',
    timeoutMs: options.timeoutMs,
    internal: options.internal,
    needsDocuments: options.needsDocuments,
    check: parts.check,
    run: parts.run && checked(contextual(parts.run, contextSchema), returns),
  };
}

function contextual(
  run: NonNullable<Tool['run']>,
  schema: Tool['contextSchema'],
): NonNullable<Tool['run']> {
  return schema ? withContext(schema, run) : run;
}

/** A result that does not match its schema is an error of the tool. */
function checked(
  run: NonNullable<Tool['run']>,
  returns: z.ZodType | undefined,
): NonNullable<Tool['run']> {
  if (!returns) return run;
  return async (args, context) => {
    const returned = returns.safeParse(await run(args, context));
    if (returned.success) return returned.data;
    const message =
      'The tool returned a result that does not match its schema.';
    throw new ToolError('INVALID_RESULT', message, returned.error);
  };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return json;
}
