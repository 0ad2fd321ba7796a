import { applyDecorators, type Type } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';

/** A field of a DTO that holds another DTO, or a list of them. */
export interface NestedField {
  readonly property: string;
  readonly type: Type;
}

const visited = new WeakMap<object, NestedField[]>();

/**
 * Marks a field that holds DTOs. They are checked after the field itself, so that the length of a list is checked
 * before its elements. Use it with `@IsObject()`, with `each` for a list.
 */
export const Nested = (type: () => Type): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'nested',
      validator: {
        validate: (_: unknown, args?: ValidationArguments) => {
          const { object, property } = args!;
          const fields = visited.get(object) ?? [];
          visited.set(object, [...fields, { property, type: type() }]);
          return true;
        },
      },
    }),
  );

/** The nested fields that this validation has visited, without those that a condition excludes. */
export function nestedFields(object: object): readonly NestedField[] {
  return visited.get(object) ?? [];
}
