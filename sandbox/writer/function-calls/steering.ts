export interface SteeredCall {
  name: string;
  /** Unparsed, so that a test can send broken JSON. */
  arguments: string;
}

const CALL = /\[sandbox:\s*call\s+([^\s\]]+)[ \t]*/g;
const THEN = /\[sandbox:\s*then\s+([^\s\]]+)[ \t]*/g;
/** A JSON string, so that its content is not matched as a phrase itself. */
const ANSWER = /\[sandbox:\s*answer\s+("(?:[^"\\]|\\.)*")\s*\]/;
const LOOP = /\[sandbox:\s*loop\s*\]/;

export const asksToLoop = (text: string) => LOOP.test(text);

/** The text of a turn without calls. */
export function steeredText(text: string): string | undefined {
  const [, written] = ANSWER.exec(text) ?? [];
  return written === undefined ? undefined : (JSON.parse(written) as string);
}

/** Every `[sandbox: call NAME {json}]` of a message, in order. */
export function steeredCalls(text: string): SteeredCall[] {
  return callsIn(text, CALL);
}

/** The n-th `[sandbox: then NAME {json}]` applies to the turn after n turns of calls. */
export function laterCalls(text: string, turns: number): SteeredCall[] {
  return turns === 0 ? [] : callsIn(text, THEN).slice(turns - 1, turns);
}

function callsIn(text: string, phrase: RegExp): SteeredCall[] {
  return [...text.matchAll(phrase)].map((match) => {
    const from = match.index + match[0].length;
    return {
      name: match[1],
      arguments: text.slice(from, closingBracket(text, from)).trim() || '{}',
    };
  });
}

/** The bracket that closes the phrase; where broken JSON leaves the brackets uneven, the last one before the next phrase or line. */
function closingBracket(text: string, from: number): number {
  const line = text.slice(from).split(/\n|\[sandbox:/)[0];
  let depth = 0;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '[') depth++;
    if (line[i] === ']' && depth-- === 0) return from + i;
  }
  const last = line.lastIndexOf(']');
  return from + (last < 0 ? line.length : last);
}
