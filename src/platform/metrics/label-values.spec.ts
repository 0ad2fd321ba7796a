import { LabelValues } from './label-values';

describe(LabelValues.name, () => {
  it('keeps known values, the first others, and calls the rest other', () => {
    const values = new LabelValues(['gpt-4o'], 2);
    const named = ['a', 'b', 'c', 'gpt-4o', 'a', 'd'];
    expect(named.map((name) => values.of(name))).toEqual([
      'a',
      'b',
      'other',
      'gpt-4o',
      'a',
      'other',
    ]);
  });

  it('has at most so many values, whatever is named', () => {
    const values = new LabelValues(['known'], 10);
    const seen = new Set(
      Array.from({ length: 10_000 }, (_, n) => values.of(`model-${n}`)),
    );
    expect(seen.size).toBe(11);
  });

  it.each([
    'two words',
    'a"b',
    'line\nbreak',
    'http://10.0.0.7/v1',
    'x'.repeat(101),
    '모델',
  ])('calls other what is no name: %j', (text) => {
    const values = new LabelValues([], 10);
    expect(values.of(text)).toBe('other');
    expect(values.of('fine/name:1')).toBe('fine/name:1');
  });

  it('finds what is known or was admitted, and admits nothing by that', () => {
    const values = new LabelValues(['known'], 1);
    const found = () =>
      ['known', 'a', 'b', ''].map((name) => values.find(name));
    expect(found()).toEqual(['known', 'other', 'other', '']);
    values.of('a');
    expect(found()).toEqual(['known', 'a', 'other', '']);
  });

  it('leaves out what is absent', () => {
    expect(new LabelValues([], 0).of(undefined)).toBe('');
  });
});
