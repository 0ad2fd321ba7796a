import { AppError, type FieldError } from '../../platform/errors';
import { fieldErrorsOf } from '../../platform/http/validation/schema-faults';
import type { Tool } from '../tool';
import { withoutNulls } from './without-nulls';

/**
 * Validates arguments against the schema of the tool and fills in its defaults.
 * @throws AppError `validation_failed`, which names every invalid field, and the errors `found` before.
 */
export function parseArguments(
  tool: Tool,
  args: Record<string, unknown>,
  found: readonly FieldError[] = [],
): Record<string, unknown> {
  const result = tool.argumentsSchema.safeParse(
    withoutNulls(args, tool.parameters),
    { reportInput: true },
  );
  if (!result.success || found.length > 0) {
    const issues = result.error?.issues ?? [];
    throw new AppError('validation_failed', 'Some arguments are not valid.', {
      errors: [
        ...found,
        ...issues.flatMap((one) => fieldErrorsOf(one, 'arguments')),
      ].slice(0, 100),
    });
  }
  tool.check?.(result.data);
  return result.data;
}
