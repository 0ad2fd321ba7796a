/** What can be wrong with a field, for programs that say it in words of their own. */
export const FIELD_FAULTS = [
  // Of any value. `bound` is the limit that it is over or under.
  'required',
  'unknown_field',
  'wrong_type',
  'wrong_format',
  'no_choice',
  'too_long',
  'too_short',
  'too_large',
  'too_small',
  // Of a file.
  'file_encrypted',
  'file_empty',
  'file_too_large',
  'file_unreadable',
  'file_unsupported_type',
  'file_too_long',
  'files_too_long',
  // Of research that this service, or the engine that is chosen, cannot do.
  'needs_agent',
  'needs_search',
  'needs_price',
  'no_private_sources',
  'sources_not_mixed',
  'model_always_searches',
  'searches_nothing',
  'not_supported_by_model',
  'no_such_report',
  // Of a search.
  'no_words',
  'confidential',
] as const;
export type FieldFault = (typeof FIELD_FAULTS)[number];

/** One invalid field of the input. `path` is dotted, e.g. `arguments.documents.0.text`. */
export interface FieldError {
  path: string;
  message: string;
  code?: FieldFault;
  bound?: number;
}

export type Fault = Pick<FieldError, 'code' | 'bound'>;

export function unknownField(path: string): FieldError {
  return { path, message: 'is not a known field', code: 'unknown_field' };
}

export function faultWith(code: FieldFault, bound: unknown): Fault {
  return typeof bound === 'number' ? { code, bound } : { code };
}
