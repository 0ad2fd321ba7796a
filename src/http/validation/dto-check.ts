import type { Type } from '@nestjs/common';
import { type ValidationError, validateSync } from 'class-validator';
import type { FieldError } from '../../errors';
import { nestedFields } from './nested';
import { ownTurn } from '../body/own-turn';

/** A reply must not grow with the number of things wrong. */
export const MAX_FAULTS = 100;
const MAX_PATH = 200;
/** How long the check of one body keeps the process from everything else. */
const SLICE_MS = 10;

const OPTIONS = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

export interface Checked {
  dto: object;
  faults: FieldError[];
}

/** Makes a DTO of plain data, level by level; the first faults are named by their paths. */
export async function toDto(type: Type, given: object): Promise<Checked> {
  const check = new Check();
  const dto = await check.object(type, given, '');
  await check.pause();
  return { dto, faults: check.faults };
}

class Check {
  readonly faults: FieldError[] = [];
  private startedMs = performance.now();

  async object(type: Type, given: object, path: string): Promise<object> {
    await this.pause();
    const dto = this.assign(type, given, path);
    const wrong = validateSync(dto, OPTIONS);
    this.faults.push(...wrong.flatMap((fault) => toFaults(fault, path)));
    const fields = dto as Record<string, unknown>;
    for (const { property, type: nested } of nestedFields(dto)) {
      const value = fields[property];
      const fault = wrong.find((one) => one.property === property);
      if (fault && !isWalkable(fault, value)) continue;
      fields[property] = await this.value(nested, value, path + property);
    }
    return dto;
  }

  /** Gives other work a turn if this has taken long. */
  async pause(): Promise<void> {
    if (performance.now() - this.startedMs <= SLICE_MS) return;
    await ownTurn();
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
      if (this.faults.length >= MAX_FAULTS) break;
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
    this.faults.push({ path, message: 'must be an object' });
    return given;
  }

  private assign(type: Type, given: object, path: string): object {
    // The validation looks its rules up by this name.
    if (!Object.hasOwn(given, 'constructor'))
      return Object.assign(new type() as object, given);
    this.faults.push(unknownField(`${path}constructor`));
    const { constructor: _, ...rest } = given;
    return Object.assign(new type() as object, rest);
  }
}

/** Some elements of a list are no objects; the others are checked all the same. */
function isWalkable({ constraints }: ValidationError, value: unknown): boolean {
  return Array.isArray(value) && !('arrayMaxSize' in (constraints ?? {}));
}

function toFaults(fault: ValidationError, parent: string): FieldError[] {
  const path = `${parent}${fault.property}`;
  const { whitelistValidation, ...others } = fault.constraints ?? {};
  if (whitelistValidation) return [unknownField(path)];
  return [
    {
      path: path.slice(0, MAX_PATH),
      message: Object.values(others).join('; '),
    },
  ];
}

function unknownField(path: string): FieldError {
  return { path: path.slice(0, MAX_PATH), message: 'is not a known field' };
}
