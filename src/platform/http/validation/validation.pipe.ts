import {
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { AppError, type FieldError } from '../../errors';
import { MAX_FIELD_ERRORS, toDto } from './dto-check';
import { mayBeAbsent } from './own-form';

const UNCHECKED = new Set<unknown>([String, Number, Boolean, Array, Object]);

/** Converts a body or query to its DTO, or reports every invalid field, unknown ones included. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown> {
  async transform(
    value: unknown,
    { metatype, type }: ArgumentMetadata,
  ): Promise<unknown> {
    if (!metatype || type === 'custom' || UNCHECKED.has(metatype)) return value;
    if (value === undefined && mayBeAbsent(metatype)) return new metatype();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const message = `must be a JSON object${value === undefined ? '; it is missing' : ''}`;
      throw new AppError('validation_failed', `The ${type} ${message}.`, {
        errors: [{ path: '', message }],
      });
    }
    const given = type === 'query' ? withNumbers(value, metatype) : value;
    const { dto, errors } = await toDto(metatype, given);
    if (errors.length > 0) throw failed(errors);
    return dto;
  }
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Query values are strings. Those of numeric fields are converted; what is no number stays, for the check to refuse. */
function withNumbers(query: object, { prototype }: Type): object {
  const isNumber = (name: string): boolean =>
    Reflect.getMetadata('design:type', prototype as object, name) === Number;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      isNumber(name) && typeof value === 'string' && NUMBER.test(value)
        ? Number(value)
        : (value as unknown),
    ]),
  );
}

function failed(errors: FieldError[]): AppError {
  const named = errors.slice(0, 5).map(({ path }) => path);
  const more = errors.length > named.length ? ' and more' : '';
  return new AppError(
    'validation_failed',
    `Not valid: ${named.join(', ')}${more}.`,
    { errors: errors.slice(0, MAX_FIELD_ERRORS) },
  );
}
