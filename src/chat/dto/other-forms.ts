import type { Given } from '../../platform/http/validation/own-form';
import { isObject } from '../../platform/message/call-arguments';
import { fitsJson } from './json-size';

/** Characters of the arguments of a function part. */
export const MAX_ARGUMENTS = 1_000_000;
const MAX_DEPTH = 40;

/** How the Base64 of an image begins. */
const SIGNATURES = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;

/** A function as Chat Completions and Responses describe it: in `function`, or beside its `type`. */
export function plainFunction(given: Given): Given {
  const { type, ...rest } = given;
  if (type !== 'function') return given;
  const { function: inner, ...others } = rest;
  return isObject(inner) && Object.keys(others).length === 0 ? inner : rest;
}

/** An image whose type its bytes tell. */
export function typedImage(given: Given): Given {
  const { data, mime_type } = given;
  if (typeof data !== 'string' || (mime_type ?? undefined) !== undefined)
    return given;
  const known = SIGNATURES.find(([start]) => data.startsWith(start));
  return known ? { ...given, mime_type: known[1] } : given;
}

/** A function part whose arguments are an object. */
export function writtenArguments(given: Given): Given {
  const { arguments: args } = given;
  const fits = isObject(args) && fitsJson(args, MAX_DEPTH, MAX_ARGUMENTS);
  return fits ? { ...given, arguments: JSON.stringify(args) } : given;
}

/** A call whose id is in its function. */
export function identifiedCall(given: Given): Given {
  const { id: own, function: called } = given;
  if (!isObject(called) || !('id' in called)) return given;
  const { id, ...rest } = called;
  if ((own ?? id) !== id) return given;
  return { ...given, id, function: rest };
}
