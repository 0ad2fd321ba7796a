import { jsonrepair } from 'jsonrepair';

const TAG = /<(\/?)(think|thinking|reasoning)>/gi;
const FENCE = /^\s*```[a-z]*\s*\n([^]*?)\n?\s*```\s*$/i;

/** The JSON object in a model's answer, which may stand in a fence or between sentences. Undefined if there is none. */
export function readJson(answer: string): unknown {
  const text = withoutThoughts(answer).trim();
  const body = FENCE.exec(text)?.[1] ?? text;
  const start = body.indexOf('{');
  const end = body.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  return parse(body.slice(start, end + 1));
}

/** Without what stands between a tag of thought and the end tag of its name. In one pass: a model may repeat a tag for ever. */
function withoutThoughts(answer: string): string {
  let [kept, from] = ['', 0];
  let open: { name: string; at: number } | undefined;
  for (const { 0: tag, 1: slash, 2: written, index } of answer.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (slash === '') open ??= { name, at: index };
    else if (open?.name === name) {
      kept += answer.slice(from, open.at);
      from = index + tag.length;
      open = undefined;
    }
  }
  return kept + answer.slice(from);
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
