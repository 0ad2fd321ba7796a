import type { Type } from '@nestjs/common';
import {
  getMetadataStorage,
  IS_OPTIONAL,
  type ValidationError,
  type ValidatorOptions,
  validateSync,
} from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;
type FieldRules = ReturnType<Storage['groupByPropertyName']>;

const optional = new WeakMap<object, ReadonlySet<string>>();
const patches = new WeakSet<object>();

/** Of a class and of its parents: the fields that may be absent, for which a null stands as well. */
export function optionalFields(type: Type): ReadonlySet<string> {
  let names = optional.get(type);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(
      type,
      '',
      false,
      false,
    );
    const absent = rules.filter(({ name }) => name === IS_OPTIONAL);
    names = new Set(
      patches.has(type) ? [] : absent.map(({ propertyName }) => propertyName),
    );
    optional.set(type, names);
  }
  return names;
}

/** Of a class whose nulls remove what was set before, as those of a JSON merge patch do (RFC 7396). */
export function MergePatch(): ClassDecorator {
  return (type) => void patches.add(type);
}

/** The object whose rules are grouped next. A validation groups them first of all, and never waits. */
let validated: Record<string, unknown> | undefined;

/**
 * Validates an object, with the same result as `validateSync` and a third of its work: most fields of most requests are
 * optional and absent, and class-validator evaluates their rules one by one.
 */
export function validatePresent(
  object: object,
  options: ValidatorOptions,
): ValidationError[] {
  validated = object as Record<string, unknown>;
  return validateSync(object, options);
}

/**
 * class-validator collects the rules of a class, with those of its parents, anew for every object, and groups them by field.
 * They do not change once the classes are loaded, so those of a validation without groups are kept.
 */
export function keepCollectedRules(): void {
  const storage = getMetadataStorage();
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const kept = new WeakMap<object, Rules>();
  const grouped = new WeakMap<Rules, FieldRules>();
  storage.getTargetValidationMetadatas = (
    type,
    schema,
    always,
    strictGroups,
    groups,
  ) => {
    if (schema || groups)
      return collect(type, schema, always, strictGroups, groups);
    let rules = kept.get(type);
    if (!rules) {
      rules = collect(type, schema, always, strictGroups);
      kept.set(type, rules);
    }
    return rules;
  };
  storage.groupByPropertyName = (rules) => {
    const object = validated;
    validated = undefined;
    const fields = grouped.get(rules) ?? group(rules);
    grouped.set(rules, fields);
    return object ? withoutAbsent(fields, object) : fields;
  };
}

/** The rules of absent optional fields are inherited: the fields are known, and their rules are not evaluated. */
function withoutAbsent(
  fields: FieldRules,
  object: Record<string, unknown>,
): FieldRules {
  const present = Object.create(fields) as FieldRules;
  for (const name in fields) {
    const isAbsent = object[name] === undefined || object[name] === null;
    if (!isAbsent || !fields[name].some(isOptional))
      present[name] = fields[name];
  }
  return present;
}

function isOptional({ name }: Rules[number]): boolean {
  return name === IS_OPTIONAL;
}
