import type { ShapedCall } from './answer-json';

const CALL = /^<function=([\w.-]+)>([^]*)<\/function>$/;
const PARAMETER =
  /\s*<parameter=([^>\s]+)>\n?([^]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)\s*/y;

/**
 * A call as Qwen 3 Coder writes it: `<function=name><parameter=key>value</parameter></function>`. Values have no type: a
 * value that is JSON, but not a string, is parsed. Null if there is any other content.
 */
export function markupCall(text: string): ShapedCall[] | null {
  const [, name, body = ''] = CALL.exec(text) ?? [];
  if (name === undefined) return null;
  const args: Record<string, unknown> = {};
  PARAMETER.lastIndex = 0;
  let at = /^\s*/.exec(body)![0].length;
  while (at < body.length) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(body);
    if (!found) return null;
    args[found[1]] = valueOf(found[2]);
    at = PARAMETER.lastIndex;
  }
  return [{ name, arguments: args }];
}

function valueOf(written: string): unknown {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? written : value;
  } catch {
    return written;
  }
}
