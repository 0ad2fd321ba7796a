import type { AppError } from '../../platform/errors';

export const NO_OBJECT = 'The arguments must be one JSON object.';

/** What is wrong with the arguments of a call, for the model that chose them. */
export function describeFaults({ errors = [], message }: AppError): string {
  const faults = errors.map(
    ({ path, message: fault }) => `${path.replace('arguments.', '')}: ${fault}`,
  );
  return faults.join('; ') || message;
}
