import { createHash } from 'node:crypto';
import type { Environment } from '../environment';

const NAME = 'RELAY_API_KEYS';
const EXAMPLE = 'alice:<sha256 of a random key>';

/** Common placeholders for a key; the empty one is that of an unset variable. */
const WELL_KNOWN = [
  '',
  ...`
    password passwort passw0rd secret s3cret letmein
    test testing example demo dev foo bar foobar
    changeme change-me change_me default qwerty welcome
    sonde relay openai litellm alice bob hello
    admin administrator root user guest anonymous none
    key mykey my-key apikey api-key api_key token
    your-key your-api-key your_api_key sk-1234 sk-test
    $KEY KEY null undefined true x a abc abc123
    123 1234 12345 123456 12345678 123456789 1234567890
  `
    .trim()
    .split(/\s+/),
];
const REFUSED = new Set(
  WELL_KNOWN.flatMap((word) => [word, word.toUpperCase(), capitalised(word)])
    // `echo` appends a line break.
    .flatMap((word) => [sha256(word), sha256(`${word}\n`)]),
);

/** Caller name -> hashes of its keys, in lower case. Errors never repeat the hashes. */
export function readApiKeys(env: Environment): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const item of env.list(NAME, [])) {
    const [, name, hash] = /^(.+):([0-9a-f]{64})$/i.exec(item) ?? [];
    if (!name)
      return env.fail(NAME, 'has an entry that is not name:sha256hex', EXAMPLE);
    const lower = hash.toLowerCase();
    if (REFUSED.has(lower))
      return env.fail(
        NAME,
        `has for "${name}" the hash of an empty or well-known text`,
        EXAMPLE,
      );
    const others = [...keys.values()].flat();
    if (others.includes(lower))
      return env.fail(NAME, `has the hash of "${name}" twice`, EXAMPLE);
    keys.set(name, [...(keys.get(name) ?? []), lower]);
  }
  return keys;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
