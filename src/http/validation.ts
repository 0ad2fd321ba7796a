import {
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { AppError, type FieldError } from '../errors';

/** A reply must not grow with the number of things wrong. */
const MAX_ERRORS = 100;
const MAX_PATH = 200;

const UNCHECKED = new Set<unknown>([String, Number, Boolean, Array, Object]);

const VERBATIM = Symbol('sonde:verbatim');

/** Takes free-form JSON as it was sent: the transformation would drop keys such as `constructor` and `toString`. */
export const Verbatim = (): PropertyDecorator => (target, property) => {
  Reflect.defineMetadata(VERBATIM, true, target, property);
  Transform(({ obj, key }) => (obj as Record<string, unknown>)[key])(
    target,
    property,
  );
};

/** Turns a body or query into its DTO, or names every field that is wrong, unknown ones too. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown> {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (!metatype || type === 'custom' || UNCHECKED.has(metatype)) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const message = `must be a JSON object${value === undefined ? '; there is none' : ''}`;
      throw new AppError('validation_failed', `The ${type} ${message}.`, {
        errors: [{ path: '', message }],
      });
    }
    const [instance, faults] = check(metatype, value, type);
    if (faults.length > 0)
      throw failed(faults.flatMap((fault) => flatten(fault)));
    return instance;
  }
}

function check(
  metatype: Type,
  value: object,
  type: ArgumentMetadata['type'],
): [object, ValidationError[]] {
  try {
    const instance = (
      type === 'body' && isFlat(metatype, value)
        ? Object.assign(new metatype(), value)
        : plainToInstance(metatype, value)
    ) as object;
    return [
      instance,
      validateSync(instance, {
        whitelist: true,
        forbidNonWhitelisted: true,
        forbidUnknownValues: false,
        validationError: { target: false, value: false },
      }),
    ];
  } catch (fault) {
    const property = findConstructor(value);
    if (property === undefined) throw fault;
    throw failed([{ path: property, message: 'is not a key that is taken' }]);
  }
}

/** Nothing in it needs the transformation, which costs more than the validation itself. */
function isFlat(metatype: Type, value: object): boolean {
  // The validation looks its rules up by this name.
  if (Object.hasOwn(value, 'constructor')) return false;
  return Object.entries(value).every(
    ([key, item]) =>
      Reflect.hasMetadata(VERBATIM, metatype.prototype as object, key) ||
      (Array.isArray(item) ? item.every(isScalar) : isScalar(item)),
  );
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** The path of a key `constructor`, over which the transformation of free-form JSON stumbles. */
function findConstructor(body: object): string | undefined {
  const open: [value: object, path: string][] = [[body, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, path] = next;
    if (Object.hasOwn(value, 'constructor'))
      return `${path}constructor`.slice(0, MAX_PATH);
    for (const [key, item] of Object.entries(value) as [string, unknown][])
      if (typeof item === 'object' && item !== null)
        open.push([item, `${path}${key}.`]);
  }
  return undefined;
}

function flatten(fault: ValidationError, parent = ''): FieldError[] {
  const path = parent ? `${parent}.${fault.property}` : fault.property;
  const { whitelistValidation, ...others } = fault.constraints ?? {};
  const messages = Object.values(others);
  if (whitelistValidation) messages.push('is not a known field');
  return [
    ...(messages.length > 0
      ? [{ path: path.slice(0, MAX_PATH), message: messages.join('; ') }]
      : []),
    ...(fault.children ?? []).flatMap((child) => flatten(child, path)),
  ];
}

function failed(errors: FieldError[]): AppError {
  const named = errors.slice(0, 5).map(({ path }) => path);
  const more = errors.length > named.length ? ' and more' : '';
  return new AppError(
    'validation_failed',
    `Not valid: ${named.join(', ')}${more}.`,
    { errors: errors.slice(0, MAX_ERRORS) },
  );
}
