import { getMetadataStorage } from 'class-validator';

type Rules = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>;

/**
 * class-validator collects the rules of a class, with those of its parents, anew for every object. They do not change once
 * the classes are loaded, so those of a validation without groups are kept.
 */
export function keepCollectedRules(): void {
  const storage = getMetadataStorage();
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const kept = new WeakMap<object, Rules>();
  storage.getTargetValidationMetadatas = (
    type,
    schema,
    always,
    strictGroups,
    groups,
  ) => {
    if (schema || groups)
      return collect(type, schema, always, strictGroups, groups);
    const rules = kept.get(type) ?? collect(type, schema, always, strictGroups);
    kept.set(type, rules);
    return rules;
  };
}
