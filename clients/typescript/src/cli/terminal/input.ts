import { decodeCp949 } from './cp949.js';
import { readFileSync } from 'node:fs';
import { isObject } from '../../http/api-error.js';
import type { Direction } from '../../types.js';
import { usageError } from '../usage-error.js';

/** Returns the prompt: the words given, or standard input for `-`. */
export async function readPrompt(words: string): Promise<string> {
  if (words !== '-') {
    if (words.trim() !== '') return words;
    return usageError(
      'a prompt is required; pass it as an argument, or - to read it from standard input',
    );
  }
  const text = decodeInput(await readStdin());
  if (text.includes('\0')) usageError('standard input contains NUL characters');
  if (text.trim() === '') usageError('standard input is empty');
  return text;
}

/** Returns the directions of the plan in a file, or in standard input for `-`. */
export async function readDirections(file: string): Promise<Direction[]> {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  let bytes: Buffer;
  try {
    bytes = file === '-' ? await readStdin() : readFileSync(file);
  } catch {
    return usageError(`--edit: ${name} cannot be read`);
  }
  try {
    return directionsOf(JSON.parse(decode(bytes)));
  } catch {
    return usageError(
      `--edit: ${name} is not a plan in the form that "sonde plan ID" prints`,
    );
  }
}

/** Throws unless it is a plan; other fields are ignored. */
function directionsOf(plan: unknown): Direction[] {
  if (!isObject(plan) || !Array.isArray(plan.directions)) throw new Error();
  return plan.directions.map((direction: unknown) => {
    const { title, queries } = direction as Partial<Direction>;
    if (typeof title !== 'string' || !Array.isArray(queries)) throw new Error();
    if (!queries.every((query) => typeof query === 'string')) throw new Error();
    return { title, queries };
  });
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
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
