import { getMetadataStorage, type ValidationError } from 'class-validator';
import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import type { FieldError, FieldFault } from '../../field-error';

/** By the names of the rules of class-validator. */
const FAULTS: Partial<Record<string, FieldFault>> = {
  isString: 'wrong_type',
  isInt: 'wrong_type',
  isNumber: 'wrong_type',
  isBoolean: 'wrong_type',
  isArray: 'wrong_type',
  isObject: 'wrong_type',
  matches: 'wrong_format',
  isIn: 'no_choice',
  maxLength: 'too_long',
  arrayMaxSize: 'too_long',
  maxFields: 'too_long',
  minLength: 'too_short',
  arrayMinSize: 'too_short',
  max: 'too_large',
  min: 'too_small',
};

type Fault = Pick<FieldError, 'code' | 'bound'>;

/** Of a rule that a field of a DTO is against. */
export function faultOf(
  type: Type,
  { property, constraints = {} }: ValidationError,
  value: unknown,
): Fault {
  if (value === undefined) return { code: 'required' };
  const rules = Object.keys(constraints).filter((name) => FAULTS[name]);
  // A value of the wrong type is against the other rules too.
  const rule =
    rules.find((name) => FAULTS[name] === 'wrong_type') ?? rules.at(0);
  if (rule === undefined) return {};
  const { constraints: [bound] = [] } =
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', false, false)
      .find((one) => one.propertyName === property && one.name === rule) ?? {};
  return faultWith(FAULTS[rule]!, bound);
}

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

export function unknownField(path: string): FieldError {
  return { path, message: 'is not a known field', code: 'unknown_field' };
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

function faultWith(code: FieldFault, bound: unknown): Fault {
  return typeof bound === 'number' ? { code, bound } : { code };
}
