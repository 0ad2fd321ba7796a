import type { Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldError } from '../../errors';
import { unknownField } from '../../field-error';
import { faultOf } from './dto-faults';
import { nestedFields } from './nested-dto';
import { inOwnForm } from './own-form';
import { yieldToEventLoop } from '../body/event-loop';
import {
  keepCollectedRules,
  optionalFields,
  validatePresent,
} from './validation-rules';

/** The size of a response must not depend on the number of invalid fields. */
export const MAX_FIELD_ERRORS = 100;
const MAX_PATH = 200;
/** How long the check of one body may block the event loop. */
const SLICE_MS = 10;

/** What an object has from elsewhere: class-validator finds its rules through `constructor`. */
const NEVER = new Set(['constructor', '__proto__']);

const OPTIONS = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

keepCollectedRules();

export interface Checked {
  dto: object;
  errors: FieldError[];
}

/** Converts plain data to a DTO, level by level, and collects the first field errors by path. */
export async function toDto(type: Type, given: object): Promise<Checked> {
  const check = new Check();
  const dto = await check.object(type, given, '');
  if (check.isLong) await check.pause();
  return { dto, errors: check.errors };
}

class Check {
  readonly errors: FieldError[] = [];
  private startedMs = performance.now();

  async object(type: Type, given: object, path: string): Promise<object> {
    if (this.isLong) await this.pause();
    const dto = this.assign(type, given, path);
    const invalid = validatePresent(dto, OPTIONS);
    this.errors.push(
      ...invalid.map((error) => this.fieldError(type, dto, error, path)),
    );
    const fields = dto as Record<string, unknown>;
    for (const { property, type: nested } of nestedFields(dto)) {
      const value = fields[property];
      const error = invalid.find((one) => one.property === property);
      if (error && !isWalkable(error, value)) continue;
      fields[property] = await this.value(nested, value, path + property);
    }
    return dto;
  }

  /** Whether this slice has blocked the event loop for long. */
  get isLong(): boolean {
    return performance.now() - this.startedMs > SLICE_MS;
  }

  /** Yields to the event loop, and begins the next slice. */
  async pause(): Promise<void> {
    await yieldToEventLoop();
    this.startedMs = performance.now();
  }

  private async value(
    type: Type,
    given: unknown,
    path: string,
  ): Promise<unknown> {
    if (!Array.isArray(given)) return this.element(type, given, path);
    const list: unknown[] = [];
    for (const [at, item] of given.entries()) {
      if (this.errors.length >= MAX_FIELD_ERRORS) break;
      list.push(await this.element(type, item, `${path}.${at}`));
    }
    return list;
  }

  private async element(
    type: Type,
    given: unknown,
    path: string,
  ): Promise<unknown> {
    if (typeof given === 'object' && given !== null && !Array.isArray(given))
      return this.object(type, given, `${path}.`);
    this.errors.push({
      path,
      message: 'must be an object',
      code: 'wrong_type',
    });
    return given;
  }

  private fieldError(
    type: Type,
    dto: object,
    error: ValidationError,
    parent: string,
  ): FieldError {
    const { property } = error;
    const path = `${parent}${property}`.slice(0, MAX_PATH);
    const { whitelistValidation, ...others } = error.constraints ?? {};
    if (whitelistValidation) return unknownField(path);
    const message = Object.values(others).join('; ');
    const value = (dto as Record<string, unknown>)[property];
    return { path, message, ...faultOf(type, error, value) };
  }

  private assign(type: Type, given: object, path: string): object {
    const dto = new type() as Record<string, unknown>;
    const optional = optionalFields(type);
    for (const [name, value] of Object.entries(inOwnForm(type, given))) {
      // Null means absent, so that a default applies.
      if (value === null && optional.has(name)) continue;
      if (NEVER.has(name))
        this.errors.push(unknownField((path + name).slice(0, MAX_PATH)));
      else dto[name] = value;
    }
    return dto;
  }
}

/** A list with invalid elements is still checked element by element, unless it is too long. */
function isWalkable({ constraints }: ValidationError, value: unknown): boolean {
  return Array.isArray(value) && !('arrayMaxSize' in (constraints ?? {}));
}
