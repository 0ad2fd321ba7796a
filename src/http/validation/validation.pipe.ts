import {
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { AppError, type FieldError } from '../../errors';
import { MAX_FAULTS, toDto } from './dto-check';

const UNCHECKED = new Set<unknown>([String, Number, Boolean, Array, Object]);

/** Turns a body or query into its DTO, or names every field that is wrong, unknown ones too. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown> {
  async transform(
    value: unknown,
    { metatype, type }: ArgumentMetadata,
  ): Promise<unknown> {
    if (!metatype || type === 'custom' || UNCHECKED.has(metatype)) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const message = `must be a JSON object${value === undefined ? '; there is none' : ''}`;
      throw new AppError('validation_failed', `The ${type} ${message}.`, {
        errors: [{ path: '', message }],
      });
    }
    const given = type === 'query' ? withNumbers(value, metatype) : value;
    const { dto, faults } = await toDto(metatype, given);
    if (faults.length > 0) throw failed(faults);
    return dto;
  }
}

/** All that a query holds is text. */
function withNumbers(query: object, { prototype }: Type): object {
  const isNumber = (name: string): boolean =>
    Reflect.getMetadata('design:type', prototype as object, name) === Number;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      isNumber(name) ? Number(value) : (value as unknown),
    ]),
  );
}

function failed(faults: FieldError[]): AppError {
  const named = faults.slice(0, 5).map(({ path }) => path);
  const more = faults.length > named.length ? ' and more' : '';
  return new AppError(
    'validation_failed',
    `Not valid: ${named.join(', ')}${more}.`,
    { errors: faults.slice(0, MAX_FAULTS) },
  );
}
