import { badRequest } from '../wire/api-error';

const BLOCK = /<data name="([a-z_]+)">\n(?:([\s\S]*?)\n)?<\/data>/g;
const TAG = /<\/?data\b/;

const refuse = (fault: string) =>
  badRequest(`The sandbox cannot read the prompt: ${fault}.`, 'messages');

export const hasBlocks = (text: string): boolean => text.includes('<data ');

/**
 * The `<data name="…">` blocks of a prompt. Anything but the exact form is refused, so that text which escapes from its
 * block is an error and not an instruction.
 */
export class DataBlocks {
  private readonly blocks = new Map<string, string>();

  constructor(prompt: string) {
    const rest = prompt.replace(BLOCK, (_, name: string, text = '') => {
      if (TAG.test(text)) throw refuse(`a tag stands inside of '${name}'`);
      if (this.blocks.has(name)) throw refuse(`'${name}' is there twice`);
      this.blocks.set(name, text);
      return '';
    });
    if (TAG.test(rest)) throw refuse('a data block is malformed');
  }

  text(name: string): string {
    const text = this.blocks.get(name);
    if (text === undefined) throw refuse(`the block '${name}' is missing`);
    return text;
  }

  /** The empty string without such a block. */
  optional(name: string): string {
    return this.blocks.get(name) ?? '';
  }

  json(name: string): unknown {
    return parse(name, this.text(name));
  }

  optionalJson(name: string): unknown {
    return this.blocks.has(name) ? this.json(name) : undefined;
  }

  /** One JSON value per line. */
  lines(name: string): unknown[] {
    return this.text(name)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parse(name, line));
  }

  /** Whether `text` stands in a block other than those named. */
  holds(text: string, except: string[]): boolean {
    return [...this.blocks].some(
      ([name, content]) => !except.includes(name) && content.includes(text),
    );
  }
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(`the block '${name}' is not JSON`);
  }
}
