import { z } from 'zod';
import type { JsonSchema } from '../../platform/message/tool-description';
import { withoutNulls } from './without-nulls';

const jsonOf = (shape: z.ZodRawShape) =>
  z.toJSONSchema(z.object(shape), { io: 'input' }) as JsonSchema;
const cleaned = (shape: z.ZodRawShape, args: Record<string, unknown>) =>
  withoutNulls(args, jsonOf(shape));

const filter = z.object({ tag: z.string().optional(), not: z.null() });

describe(withoutNulls.name, () => {
  it('drops the null of an optional argument', () => {
    const shape = { a: z.string().optional(), b: z.int().default(1) };
    expect(cleaned(shape, { a: null, b: null })).toEqual({});
    expect(cleaned(shape, { a: '', b: 0 })).toEqual({ a: '', b: 0 });
  });

  it('keeps a required null, and that of an unknown name', () => {
    const args = { a: null, unknown: null };
    expect(cleaned({ a: z.string().nullable() }, args)).toEqual(args);
  });

  it.each<[string, z.ZodType, unknown, unknown]>([
    ['objects', filter, { tag: null, not: null }, { not: null }],
    ['lists', z.array(filter), [{ tag: null }, null], [{}, null]],
    ['what may be null', filter.nullable(), { tag: null }, {}],
    ['unions', z.union([z.string(), filter]), { tag: null }, {}],
    ['lists in unions', z.string().or(z.array(filter)), [{ tag: null }], [{}]],
  ])('looks into %s', (_, schema, given, expected) => {
    expect(cleaned({ f: schema }, { f: given })).toEqual({ f: expected });
  });

  it('uses the branch of a union that matches the value', () => {
    const f = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.string().optional() }),
      z.object({ kind: z.literal('b'), x: z.string().nullable() }),
      z.object({ kind: z.enum(['c', 'd']), y: z.string().optional() }),
    ]);
    const of = (value: object) => cleaned({ f }, { f: value }).f;
    expect(of({ kind: 'a', x: null })).toEqual({ kind: 'a' });
    expect(of({ kind: 'b', x: null })).toEqual({ kind: 'b', x: null });
    expect(of({ kind: 'd', y: null })).toEqual({ kind: 'd' });
    expect(of({ kind: 'z', y: null })).toEqual({ kind: 'z', y: null });
  });

  it('distinguishes branches by their properties', () => {
    const f = z.union([
      z.object({ city: z.string().optional() }),
      z.object({ street: z.string().optional(), no: z.int().optional() }),
    ]);
    const of = (value: object) => cleaned({ f }, { f: value }).f;
    expect(of({ street: 'Long', no: null })).toEqual({ street: 'Long' });
    expect(of({ city: null })).toEqual({});
    expect(of({ other: null })).toEqual({ other: null });
  });

  it('follows references, however deep they go', () => {
    const tree = z.object({
      name: z.string().optional(),
      get children() {
        return z.array(tree).optional();
      },
    });
    const given = {
      children: [{ name: null, children: [{ name: 'x', children: null }] }],
    };
    expect(cleaned({ root: tree }, { root: given })).toEqual({
      root: { children: [{ children: [{ name: 'x' }] }] },
    });
  });

  it('ignores property names of every object', () => {
    const args = JSON.parse(
      '{"__proto__": {"a": null}, "constructor": {"name": null}, "toString": null}',
    ) as Record<string, unknown>;
    const result = cleaned({ a: z.string().optional() }, args);
    expect(Object.keys(result)).toEqual(Object.keys(args));
    expect(JSON.stringify(result)).toBe(JSON.stringify(args));
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('never mutates its input', () => {
    const args = { f: { tag: null } };
    cleaned({ f: filter }, args);
    expect(args).toEqual({ f: { tag: null } });
  });
});
