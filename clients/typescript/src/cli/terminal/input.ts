import { decodeCp949 } from './cp949.js';
import { usageError } from '../flags.js';

/** Returns the prompt: the words given, or standard input for `-`. */
export async function readPrompt(words: string): Promise<string> {
  if (words !== '-') {
    if (words.trim() !== '') return words;
    return usageError(
      'a prompt is required; pass it as an argument, or - to read it from standard input',
    );
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const text = decodeInput(Buffer.concat(chunks));
  if (text.includes('\0')) usageError('standard input contains NUL characters');
  if (text.trim() === '') usageError('standard input is empty');
  return text;
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else code page 949. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe)
    return decodeStrictly('utf-16le', bytes);
  if (first === 0xfe && second === 0xff)
    return decodeStrictly('utf-16be', bytes);
  try {
    return decodeStrictly('utf-8', bytes);
  } catch {
    return decodeCp949(bytes);
  }
}

function decodeStrictly(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

function decodeInput(bytes: Uint8Array): string {
  try {
    return decode(bytes);
  } catch {
    return usageError(
      'standard input is not UTF-8, UTF-16 with a byte order mark or code page 949',
    );
  }
}
