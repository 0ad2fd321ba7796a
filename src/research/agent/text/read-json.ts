import { jsonrepair } from 'jsonrepair';

const THOUGHT = /<(think|thinking|reasoning)>[^]*?<\/\1>/gi;
const FENCE = /^\s*```[a-z]*\s*\n([^]*?)\n?\s*```\s*$/i;

/** The JSON object in a model's answer, which may stand in a fence or between sentences. Undefined if there is none. */
export function readJson(answer: string): unknown {
  const text = answer.replace(THOUGHT, '').trim();
  const body = FENCE.exec(text)?.[1] ?? text;
  const start = body.indexOf('{');
  const end = body.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  return parse(body.slice(start, end + 1));
}

function parse(text: string): unknown {
  for (const read of [(one: string) => one, jsonrepair]) {
    try {
      const value = JSON.parse(read(text)) as unknown;
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // The next way to read it follows.
    }
  }
  return undefined;
}
