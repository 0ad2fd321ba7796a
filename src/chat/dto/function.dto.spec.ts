import { areSmallFunctions, MAX_FUNCTIONS_JSON } from './function.dto';

describe(areSmallFunctions.name, () => {
  const withSchema = (parameters: object) => [{ name: 'a', parameters }];

  it('is false for more characters of JSON than the limit', () => {
    const length = JSON.stringify(withSchema({ title: '' })).length;
    const titleOf = (more: number) =>
      withSchema({ title: 'b'.repeat(MAX_FUNCTIONS_JSON - length + more) });
    expect(areSmallFunctions(titleOf(0))).toBe(true);
    expect(areSmallFunctions(titleOf(1))).toBe(false);
  });

  it('is false for a schema that is too deep, and for anything but a list', () => {
    let schema = {};
    for (let depth = 0; depth < 40; depth += 1) schema = { items: schema };
    expect(areSmallFunctions(withSchema(schema))).toBe(false);
    expect(areSmallFunctions({ name: 'a' })).toBe(false);
  });
});
