/** Longer expressions are none. */
const MAX_CHARS = 200;
const MAX_DEPTH = 20;
const TOKEN = /\s*(?:(\d{1,15}(?:\.\d{1,15})?)|([-+*/()%]))/y;

export interface Computed {
  value: number;
  /** As they stand in the expression. */
  numbers: number[];
}

/** The value of an expression of + - * / ( ) and a trailing %, with the numbers in it. Undefined where it is none. */
export function compute(expression: string): Computed | undefined {
  const plain = expression
    .replace(/[×·]/g, '*')
    .replace(/[÷∶]/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/(\d),(?=\d{3})/g, '$1')
    .split('=')[0]
    .trim();
  if (plain === '' || plain.length > MAX_CHARS) return undefined;
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < plain.length) {
    const match = TOKEN.exec(plain);
    if (!match) return undefined;
    tokens.push(match[1] ?? match[2]);
  }
  const parser = new Parser(tokens);
  const value = parser.sum(0);
  const isWhole = parser.isAtEnd && Number.isFinite(value);
  return isWhole ? { value, numbers: parser.numbers } : undefined;
}

/** NaN is the value of what is no expression. */
class Parser {
  readonly numbers: number[] = [];
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  sum(depth: number): number {
    let value = this.product(depth);
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-')) {
      const next = this.product(depth);
      value += sign === '+' ? next : -next;
    }
    return value;
  }

  private product(depth: number): number {
    let value = this.factor(depth);
    for (let sign = this.take('*', '/'); sign; sign = this.take('*', '/')) {
      const next = this.factor(depth);
      value = sign === '*' ? value * next : value / next;
    }
    return value;
  }

  private factor(depth: number): number {
    if (depth > MAX_DEPTH) return NaN;
    if (this.take('-')) return -this.factor(depth + 1);
    let value: number;
    if (this.take('(')) {
      value = this.sum(depth + 1);
      if (!this.take(')')) return NaN;
    } else {
      value = this.number();
    }
    return this.take('%') ? value / 100 : value;
  }

  private number(): number {
    const value = Number(this.tokens[this.at] ?? NaN);
    this.at += 1;
    this.numbers.push(value);
    return value;
  }

  private take(...wanted: string[]): string | undefined {
    const token = this.tokens[this.at];
    if (!wanted.includes(token)) return undefined;
    this.at += 1;
    return token;
  }
}
