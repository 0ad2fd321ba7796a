import { isObject } from '../../../platform/message/call-arguments';
import type { ToolDescription } from '../../../platform/message/tool-description';

type Arguments = Record<string, unknown>;
type Offered = Pick<ToolDescription, 'name' | 'parameters'> &
  Partial<ToolDescription>;

/** A shorter object may be one that merely occurs in a schema. */
const MIN_ECHO = 40;
const MAX_ECHO = 20_000;

/** The tools that a model was offered. */
export class OfferedTools {
  readonly names: ReadonlySet<string>;
  /** Without white space. */
  private readonly texts: readonly { name: string; text: string }[];
  private readonly schemas: ReadonlyMap<string, Arguments>;

  constructor(tools: readonly Offered[]) {
    this.schemas = new Map(
      tools.map(({ name, parameters }) => [name, parameters]),
    );
    this.names = new Set(this.schemas.keys());
    this.texts = tools.map(({ name, description = '', parameters }) => ({
      name,
      text: withoutSpaces(description + JSON.stringify(parameters)),
    }));
  }

  /** The tool that a text describes in the words that describe it to the model: its schema, but no call of it. */
  echoed(text: string): string | undefined {
    if (text.length > MAX_ECHO || !/^\s*\{/.test(text)) return undefined;
    const written = withoutSpaces(text);
    if (!written.endsWith('}') || written.length < MIN_ECHO) return undefined;
    return this.texts.find((tool) => tool.text.includes(written))?.name;
  }

  /** The tool that a text names, with or without quotes or a namespace such as `functions.`. */
  named(text: unknown): string | undefined {
    if (typeof text !== 'string' || text.length > 200) return undefined;
    const name = text.trim().replace(/^[`"'*]+|[`"'*]+$/g, '');
    const local = name.slice(name.lastIndexOf('.') + 1);
    return [name, local].find((one) => this.names.has(one));
  }

  /**
   * The arguments as the tool takes them: null unless all that it requires are there, of the declared types, and no others.
   * A text is read as JSON where the schema allows none.
   */
  fit(name: string, args: unknown): Arguments | null {
    const schema = this.schemas.get(name);
    const given = typeof args === 'string' ? objectIn(args) : args;
    if (!schema || !isObject(given)) return null;
    const properties = isObject(schema.properties) ? schema.properties : {};
    const fitting: Arguments = {};
    for (const [key, value] of Object.entries(given)) {
      const isKnown = Object.hasOwn(properties, key);
      if (!isKnown && schema.additionalProperties !== true) return null;
      const fit = isKnown ? fitted(value, properties[key]) : { value };
      if (!fit) return null;
      fitting[key] = fit.value;
    }
    const required = Array.isArray(schema.required) ? schema.required : [];
    const missing = required.filter(
      (key: string) => !Object.hasOwn(given, key),
    );
    return missing.every((key: string) => allows(properties[key], 'null'))
      ? fitting
      : null;
  }

  /** The arguments of a tool that requires one text and nothing else. */
  fitText(name: string, text: string): Arguments | null {
    const { properties, required } = this.schemas.get(name) ?? {};
    if (!isObject(properties) || !Array.isArray(required)) return null;
    const needed = required.filter(
      (key: string) => !allows(properties[key], 'null'),
    );
    const [key] = needed as string[];
    return needed.length === 1 && text !== ''
      ? this.fit(name, { [key]: text })
      : null;
  }
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

function fitted(value: unknown, schema: unknown): { value: unknown } | null {
  if (allows(schema, typeOf(value))) return { value };
  if (typeof value !== 'string') return null;
  try {
    const read: unknown = JSON.parse(value);
    return allows(schema, typeOf(read)) ? { value: read } : null;
  } catch {
    return null;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a schema allows a JSON type, by its own keywords and those of its branches: what is unknown is allowed. */
function allows(schema: unknown, type: string): boolean {
  if (!isObject(schema)) return true;
  const { type: declared, enum: values, const: value } = schema;
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches))
    return branches.some((branch) => isObject(branch) && isType(branch, type));
  if (declared !== undefined) return isType(schema, type);
  if (Array.isArray(values)) return values.some((one) => typeOf(one) === type);
  return value === undefined || typeOf(value) === type;
}

function isType({ type: declared }: Arguments, type: string): boolean {
  if (declared === undefined) return true;
  const types: unknown[] = Array.isArray(declared) ? declared : [declared];
  return (
    types.includes(type) || (type === 'integer' && types.includes('number'))
  );
}

/** The JSON object that a text is. */
function objectIn(text: string): Arguments | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
