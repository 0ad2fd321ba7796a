import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address';

/** The code of the error that a name without a public address ends in. */
export const NOT_PUBLIC = 'ERR_NOT_PUBLIC';

/**
 * Resolves the name of a receiver to its public addresses alone. A connection goes to one of those that it was given
 * here, so that a name which changes its address between a check and the connection gains nothing.
 */
export const lookupPublic: LookupFunction = (name, options, callback) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    if (addresses.length === 0) return callback(notPublic(), []);
    if (options.all) return callback(null, addresses);
    const [{ address, family }]: LookupAddress[] = addresses;
    callback(null, address, family);
  });
};

function notPublic(): NodeJS.ErrnoException {
  return Object.assign(new Error('The name has no public address.'), {
    code: NOT_PUBLIC,
  });
}
