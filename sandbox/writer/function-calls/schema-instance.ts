import { isObject } from '../../wire/json';

type Schema = Record<string, unknown>;

/** How values are chosen: the text of strings, and whether nullable, empty or optional values are used. */
export interface Filling {
  text(property: string): string;
  /** The smallest number that the schema allows, unless this gives another. */
  number?(): number | undefined;
  spare: boolean;
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'nobody@sandbox.example',
  hostname: 'sandbox.example',
  uri: 'https://sandbox.example/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
};

const DEEPEST = 12;

/** The smallest value that conforms to a JSON Schema of the strict subset. */
export function instanceOf(schema: Schema, filling: Filling): unknown {
  const resolve = (ref: string): unknown =>
    ref
      .replace(/^#\/?/, '')
      .split('/')
      .filter((key) => key !== '')
      .reduce<unknown>((at, key) => (isObject(at) ? at[key] : at), schema);

  const fill = (node: unknown, property: string, depth: number): unknown => {
    if (!isObject(node) || depth > DEEPEST) return null;
    if (typeof node.$ref === 'string')
      return fill(resolve(node.$ref), property, depth + 1);
    if ('const' in node) return node.const;
    if (Array.isArray(node.enum))
      return filling.spare && node.enum.includes(null) ? null : node.enum[0];
    const branches = node.anyOf ?? node.oneOf;
    if (Array.isArray(branches)) {
      const nullable = branches.some((b) => isObject(b) && b.type === 'null');
      if (nullable && filling.spare) return null;
      const branch: unknown = branches.find(
        (b) => isObject(b) && b.type !== 'null',
      );
      return fill(branch, property, depth + 1);
    }
    const types: unknown[] = Array.isArray(node.type) ? node.type : [node.type];
    if (types.includes('null') && (filling.spare || types.length === 1))
      return null;
    return ofType(
      types.find((type) => type !== 'null'),
      node,
      property,
      depth,
    );
  };

  const ofType = (
    type: unknown,
    node: Schema,
    property: string,
    depth: number,
  ): unknown => {
    switch (type) {
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return filling.number?.() ?? smallestNumber(node);
      case 'array': {
        const least = typeof node.minItems === 'number' ? node.minItems : 0;
        const most = typeof node.maxItems === 'number' ? node.maxItems : 3;
        const length = filling.spare
          ? least
          : Math.max(least, Math.min(2, most));
        return Array.from({ length }, () =>
          fill(node.items, property, depth + 1),
        );
      }
      case 'string':
        return typeof node.format === 'string' && FORMATS[node.format]
          ? FORMATS[node.format]
          : filling.text(property);
      default:
        return Object.fromEntries(
          propertiesOf(node, filling.spare).map(([key, value]) => [
            key,
            fill(value, key, depth + 1),
          ]),
        );
    }
  };

  return fill(schema, '', 0);
}

function propertiesOf(node: Schema, spare: boolean): [string, unknown][] {
  const all = Object.entries(isObject(node.properties) ? node.properties : {});
  const required = Array.isArray(node.required) ? node.required : [];
  return spare ? all.filter(([key]) => required.includes(key)) : all;
}

function smallestNumber(node: Schema): number {
  if (typeof node.minimum === 'number') return node.minimum;
  if (typeof node.exclusiveMinimum === 'number')
    return node.exclusiveMinimum + 1;
  return typeof node.maximum === 'number' ? Math.min(0, node.maximum) : 0;
}
