import { ValidateBy } from 'class-validator';

/** Limits the fields of a free-form object, since walking and copying tens of thousands takes long. */
export const MaxFields = (max: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxFields',
    constraints: [max],
    validator: {
      validate: (value: unknown) =>
        typeof value !== 'object' ||
        value === null ||
        Object.keys(value).length <= max,
      defaultMessage: () =>
        `must not have more than ${max.toLocaleString('en')} fields`,
    },
  });
