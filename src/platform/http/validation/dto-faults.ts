import { getMetadataStorage, type ValidationError } from 'class-validator';
import type { Type } from '@nestjs/common';
import { type Fault, faultWith, type FieldFault } from '../../field-error';

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
