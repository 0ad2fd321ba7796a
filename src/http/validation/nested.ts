import { applyDecorators, type Type } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';

/** One field of a DTO that holds another DTO, or a list of them. */
export interface NestedField {
  readonly property: string;
  readonly type: Type;
}

const found = new WeakMap<object, NestedField[]>();

/**
 * Marks a field whose objects are DTOs of their own. They are checked after the field itself, so that the size of a list
 * is known to be right before any of its elements is looked at. `@IsObject()`, with `each` for a list, belongs beside it.
 */
export const Nested = (type: () => Type): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'nested',
      validator: {
        validate: (_: unknown, args?: ValidationArguments) => {
          const { object, property } = args!;
          const fields = found.get(object) ?? [];
          found.set(object, [...fields, { property, type: type() }]);
          return true;
        },
      },
    }),
  );

/** The fields that the validation of this object has come by, so not those that a condition excludes. */
export function nestedFields(object: object): readonly NestedField[] {
  return found.get(object) ?? [];
}
