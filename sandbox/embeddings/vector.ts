import { createHash } from 'node:crypto';

/** The sum of a direction for each word, of length 1. */
export function vectorOf(
  words: readonly string[],
  dimensions: number,
): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of words.length > 0 ? words : ['']) {
    const hash = createHash('sha512').update(word).digest();
    for (let at = 0; at < hash.length; at += 4)
      vector[hash.readUInt16LE(at) % dimensions] +=
        hash.readInt16LE(at + 2) / 32_768;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((one) => one / length);
}
