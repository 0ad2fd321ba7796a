import type { Type } from '@nestjs/common';

/** An object as it was sent. */
export type Given = Record<string, unknown>;
type Reader = (given: Given) => Given;

const readers = new WeakMap<object, Reader>();

/**
 * Of a class that has other common forms: `read` returns the own form of an object in one of them, before the check.
 * It leaves what it does not know as it is, for the check to name.
 */
export function ReadsOtherForms(read: Reader): ClassDecorator {
  return (type) => void readers.set(type, read);
}

export function inOwnForm(type: Type, given: object): object {
  return readers.get(type)?.(given as Given) ?? given;
}

const optionalBodies = new WeakSet<object>();

/** Of a class of bodies that may be left out altogether. */
export function OptionalBody(): ClassDecorator {
  return (type) => void optionalBodies.add(type);
}

export function mayBeAbsent(type: Type): boolean {
  return optionalBodies.has(type);
}
