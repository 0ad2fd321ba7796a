import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';

/** Authorises its bearer to read, cancel and delete one invocation. Only the hash is ever stored. */
export function mintInvocationToken(): { token: string; hash: string } {
  // 244 random bits. UUIDs come from a pool that Node fills ahead; random bytes cost a system call each time.
  const token = `ivt_${randomUUID()}${randomUUID()}`.replaceAll('-', '');
  return { token, hash: sha256(token).toString('hex') };
}

/** Compares with every hash in constant time, so that the response time reveals nothing about any of them. */
export function tokenMatches(
  token: string | undefined,
  hashes: readonly string[],
): boolean {
  if (!token) return false;
  const given = sha256(token);
  let matches = false;
  for (const hash of hashes) {
    const expected = Buffer.from(hash, 'hex');
    if (expected.length === given.length && timingSafeEqual(expected, given))
      matches = true;
  }
  return matches;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
