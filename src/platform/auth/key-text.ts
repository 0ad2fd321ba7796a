import { createHash, randomBytes } from 'node:crypto';

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const FORM = /^sk_sonde_([0-9a-f]{16})_[0-9a-f]{64}$/;
const ID = /^[0-9a-f]{16}$/;

/** Not a secret: it is in listings and logs. Random, so that no id reveals another. */
export function freshKeyId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

export function isKeyId(text: string): boolean {
  return ID.test(text);
}

/** The text of a key, which is shown once, and the hash that is stored: the secret has 256 random bits. */
export function mintKey(id: string): { key: string; hash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const key = `sk_sonde_${id}_${secret}`;
  return { key, hash: hashOfKey(key).toString('hex') };
}

export function hashOfKey(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The id in the text of a stored key; undefined for any other text. */
export function idInKey(text: string): string | undefined {
  return FORM.exec(text)?.[1];
}
