import { ValidateBy } from 'class-validator';

/** Of a free-form object: what walks and copies it takes long where there are tens of thousands. */
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
