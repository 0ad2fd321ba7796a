import type { z } from 'zod';
import {
  type Fault,
  faultWith,
  type FieldError,
  unknownField,
} from '../../field-error';

/** Of what is against a schema. `reportInput` of zod makes absent fields known. */
export function fieldErrorsOf(
  issue: z.core.$ZodIssue,
  parent: string,
): FieldError[] {
  const path = [parent, ...issue.path].join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownField(`${path}.${key}`));
  return [{ path, message: issue.message, ...faultOfIssue(issue) }];
}

function faultOfIssue(issue: z.core.$ZodIssue): Fault {
  switch (issue.code) {
    case 'invalid_type':
      return { code: isAbsent(issue) ? 'required' : 'wrong_type' };
    case 'invalid_format':
      return { code: 'wrong_format' };
    case 'invalid_value':
      return { code: 'no_choice' };
    case 'too_big':
      return faultWith(
        isNumber(issue) ? 'too_large' : 'too_long',
        issue.maximum,
      );
    case 'too_small':
      return faultWith(
        isNumber(issue) ? 'too_small' : 'too_short',
        issue.minimum,
      );
    default:
      return {};
  }
}

function isAbsent(issue: { input?: unknown }): boolean {
  return 'input' in issue && issue.input === undefined;
}

function isNumber({ origin }: { origin: string }): boolean {
  return origin === 'number' || origin === 'int' || origin === 'bigint';
}
