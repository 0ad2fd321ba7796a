import { AppError } from '../../errors';
import { MAX_BODY_VALUES } from './body-limits';
import { JsonScan } from './json-scan';

/** Scans in chunks of `size` bytes; returns the error. */
function scan(text: string, size = 7): string {
  const bytes = Buffer.from(text);
  const scanned = new JsonScan();
  try {
    for (let at = 0; at < bytes.length; at += size)
      scanned.add(bytes.subarray(at, at + size));
    return 'fine';
  } catch (fault) {
    return (fault as AppError).message;
  }
}

const MANY = `The body has more than ${MAX_BODY_VALUES} values.`;
const DEEP = 'The body is nested more than 200 levels deep.';

describe(JsonScan.name, () => {
  it.each([
    ['a list', `[${'1,'.repeat(MAX_BODY_VALUES + 1)}1]`],
    ['objects', `[${'{},'.repeat(MAX_BODY_VALUES / 2 + 1)}{}]`],
    ['fields', `{${'"a":1,'.repeat(MAX_BODY_VALUES / 2 + 1)}"a":1}`],
    [
      'values after a long text',
      `["\\"[",${'1,'.repeat(MAX_BODY_VALUES + 1)}1]`,
    ],
  ])('refuses too many values: %s', (_, text) => {
    expect(scan(text, 100)).toBe(MANY);
    expect(scan(text, text.length)).toBe(MANY);
  });

  it('refuses a body above the maximum depth, and accepts one at it', () => {
    const nested = (levels: number): string =>
      '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
    expect(scan(nested(200))).toBe('fine');
    expect(scan(nested(202))).toBe(DEEP);
  });

  it.each([1, 2, 3, 1_000_000])(
    'takes what stands in text for text, in pieces of %i bytes',
    (size) => {
      const marks = '[{,:}]'.repeat(300);
      const text = JSON.stringify({
        [marks]: `\\"${marks}\\\\"한🚀${marks}\\`,
      });
      expect(scan(text, size)).toBe('fine');
      expect(scan(`["\\\\",${'['.repeat(300)}`, size)).toBe(DEEP);
    },
  );
});
