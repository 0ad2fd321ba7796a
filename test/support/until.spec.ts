import { until } from './until';

describe(until.name, () => {
  it('returns the first value there is', async () => {
    const looks = [undefined, false, 'there'] as const;
    let n = 0;
    expect(await until('a value', () => looks[n++])).toBe('there');
    expect(n).toBe(3);
  });

  it('says what it waited for, and what it saw last', async () => {
    const waiting = until(
      'the run to end',
      (saw) => saw({ status: 'running' }).status === 'completed',
      1,
    );
    await expect(waiting).rejects.toThrow(
      "waited 0.001 s for the run to end; seen last: { status: 'running' }",
    );
  });
});
