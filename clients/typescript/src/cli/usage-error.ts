import { SondeUsageError } from '../errors.js';

export function usageError(message: string): never {
  throw new SondeUsageError(message);
}
