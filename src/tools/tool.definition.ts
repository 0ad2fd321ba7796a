import { z } from 'zod';
import type { JsonSchema } from '../message/tool-description';
import { strictSchema } from './strict-schema';
import type { Tool, ToolAnnotations } from './tool';
import { ToolError } from './tool.error';

/** What the author of a tool says about it. */
export interface ToolOptions<P extends z.ZodObject = z.ZodObject> {
  /** 1 to 64 letters, digits, `_` or `-`. */
  name: string;
  /** Tells the model what it does and when to call it. */
  description: string;
  /** The arguments. What `.describe()` says of each reaches the model. */
  parameters: P;
  /** Checked before a result is passed on. */
  returns?: z.ZodType;
  /** Arguments that a caller may pass but no model is offered. */
  hidden?: (keyof z.infer<P> & string)[];
  returnDirect?: boolean;
  /** A human has to approve calls by a model, as it is with `annotations.destructiveHint`. */
  needsApproval?: Tool['needsApproval'];
  onError?: Tool['onError'];
  timeoutMs?: number;
  annotations?: ToolAnnotations;
  internal?: boolean;
}

/** @throws Error with one sentence that names the tool, the fault and the mend. */
export function defineTool(
  options: ToolOptions,
  parts: Pick<Tool, 'run' | 'check'>,
): Tool {
  const { name, description, parameters, returns, hidden = [] } = options;
  const refuse = (fault: string): never => {
    throw new Error(`The tool "${name}" ${fault}.`);
  };
  const inJson = <T>(what: string, describe: () => T): T => {
    try {
      return describe();
    } catch (fault) {
      return refuse(
        `has ${what} (${(fault as Error).message}): describe every value with a type that JSON has`,
      );
    }
  };
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    refuse('has a name that is not 1 to 64 letters, digits, _ or -: rename it');
  if (typeof description !== 'string' || description.trim() === '')
    refuse('has no description: say what it does and when to call it');
  if (!(parameters instanceof z.ZodObject))
    refuse('has parameters that are no z.object(…): make them one');
  // An unknown argument is a mistake of the caller, whether or not the author thought of it.
  const argumentsSchema = parameters.strict();
  const offered = z.strictObject(
    Object.fromEntries(
      Object.entries(parameters.shape).filter(([key]) => !hidden.includes(key)),
    ),
  );
  return {
    name,
    description,
    source: 'builtin',
    argumentsSchema,
    ...inJson('parameters that no model can be offered', () => ({
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
    annotations: options.annotations ?? {},
    returnDirect: options.returnDirect ?? false,
    needsApproval: options.needsApproval,
    onError: options.onError ?? 'tell',
    timeoutMs: options.timeoutMs,
    internal: options.internal,
    check: parts.check,
    run: parts.run && checked(parts.run, returns),
  };
}

/** What does not fit the schema of the result is a fault of the tool, and no answer. */
function checked(
  run: NonNullable<Tool['run']>,
  returns: z.ZodType | undefined,
): NonNullable<Tool['run']> {
  if (!returns) return run;
  return async (args, context) => {
    const returned = returns.safeParse(await run(args, context));
    if (returned.success) return returned.data;
    const message = 'The tool returned something else than it should.';
    throw new ToolError('INVALID_RESULT', message, returned.error);
  };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return json;
}
