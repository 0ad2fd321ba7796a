import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../config/addresses/public-address';

/** The code of the error for a name without a public address. */
export const NOT_PUBLIC = 'ERR_NOT_PUBLIC';

/**
 * Resolves a name to its public addresses only. The connection goes to an address that was checked here, so changing
 * the DNS record between a check and the connection has no effect.
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
