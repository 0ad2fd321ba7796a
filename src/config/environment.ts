/** An invalid configuration: one line that names the variable, the error and an example. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The same forms as `float` of Python: 30, 0.5, 1024.0, .5, 1e3. */
const DECIMAL = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** Typed reading of environment variables. An empty value counts as unset. */
export class Environment {
  constructor(private readonly source: NodeJS.ProcessEnv) {}

  optional(name: string): string | undefined {
    return this.source[name]?.trim() || undefined;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    const number = DECIMAL.test(value) ? Number(value) : NaN;
    if (!Number.isInteger(number))
      this.fail(name, `is "${value}", not a whole number`, String(fallback));
    if (number < min || number > max)
      this.fail(name, `is ${value}, outside ${min}..${max}`, String(fallback));
    return number;
  }

  /** Whole or decimal seconds, as milliseconds. */
  seconds(name: string, fallback: number, min: number, max: number): number {
    const value = this.optional(name);
    if (value === undefined) return fallback * 1000;
    if (!DECIMAL.test(value))
      this.fail(
        name,
        `is "${value}", not a number of seconds`,
        String(fallback),
      );
    const number = Number(value);
    if (number < min || number > max)
      this.fail(
        name,
        `is ${value}, outside ${min}..${max} seconds`,
        String(fallback),
      );
    return Math.round(number * 1000);
  }

  flag(name: string, fallback: boolean): boolean {
    return (
      this.oneOf(name, ['true', 'false'], fallback ? 'true' : 'false') ===
      'true'
    );
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name, fallback) as T;
    return values.includes(value)
      ? value
      : this.fail(
          name,
          `is "${value}", not one of ${values.join(', ')}`,
          fallback,
        );
  }

  /** A subset of `values`, each once, whose order matters. */
  someOf<T extends string>(name: string, values: readonly T[]): T[] {
    const example = values.join(',');
    const items = this.list(name, [...values]) as T[];
    for (const [at, item] of items.entries()) {
      if (!values.includes(item))
        this.fail(
          name,
          `names "${item}", not one of ${values.join(', ')}`,
          example,
        );
      if (items.indexOf(item) < at)
        this.fail(name, `names "${item}" twice`, example);
    }
    return items;
  }

  list(name: string, fallback: string[]): string[] {
    const items = this.optional(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    return items?.length ? items : fallback;
  }

  /** `name:value,name:value`; the names are unique. */
  pairs(
    name: string,
    valueForm: RegExp,
    valueName: string,
    example: string,
  ): Map<string, string> {
    const pairs = new Map<string, string>();
    for (const item of this.list(name, [])) {
      const colon = item.lastIndexOf(':');
      const [key, value] = [item.slice(0, colon), item.slice(colon + 1)];
      if (colon < 1 || !valueForm.test(value))
        this.fail(name, `has an entry that is not name:${valueName}`, example);
      if (pairs.has(key)) this.fail(name, `names "${key}" twice`, example);
      pairs.set(key, value);
    }
    return pairs;
  }

  /** The value never appears in the error: it may contain a password. */
  parsed<T>(
    name: string,
    parse: (value: string) => T,
    example: string,
  ): T | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    try {
      return parse(value);
    } catch (fault) {
      return this.fail(name, (fault as Error).message, example);
    }
  }

  fail(name: string, fault: string, example: string): never {
    throw new ConfigError(`${name} ${fault}. Example: ${example}`);
  }
}
