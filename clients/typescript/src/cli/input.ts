import { decodeCp949 } from './cp949.js';
import { fault } from './flags.js';

/** The prompt: the words that were given, or standard input for `-`. */
export async function readPrompt(words: string): Promise<string> {
  if (words !== '-') {
    if (words.trim() !== '') return words;
    return fault(
      'a prompt is required; pass it as an argument, or - to read it from standard input',
    );
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const text = understood(Buffer.concat(chunks));
  if (text.includes('\0')) fault('standard input contains NUL characters');
  if (text.trim() === '') fault('standard input is empty');
  return text;
}

/** UTF-8, UTF-16 with a byte order mark, or else code page 949. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return strictly('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return strictly('utf-16be', bytes);
  try {
    return strictly('utf-8', bytes);
  } catch {
    return decodeCp949(bytes);
  }
}

function strictly(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

function understood(bytes: Uint8Array): string {
  try {
    return decode(bytes);
  } catch {
    return fault(
      'standard input is not UTF-8, UTF-16 with a byte order mark or code page 949',
    );
  }
}
