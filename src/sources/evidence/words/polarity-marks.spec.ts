import { marksOf } from './polarity-marks';

const counts = (text: string): [number, number] => {
  const { negations, hedges } = marksOf(text);
  return [negations.length, hedges.length];
};

describe(marksOf.name, () => {
  it.each<[number, number, string]>([
    [0, 0, 'The lock is renewed.'],
    [1, 0, 'The lock is not renewed.'],
    [1, 0, "The lock isn't renewed."],
    [1, 0, 'The lock isn’t renewed.'],
    [1, 0, 'The lock is never renewed.'],
    [1, 0, 'Neither the lock nor the lease is renewed.'],
    [1, 1, 'The lock cannot be renewed.'],
    [2, 0, 'No lock is renewed without a lease.'],
    [0, 0, 'See no. 5 and note the knot.'],
    [0, 1, 'The lock may be renewed.'],
    [0, 0, 'It opened in May of that year.'],
    [0, 1, 'Perhaps the lock is renewed.'],
    [0, 0, '잠금은 갱신된다.'],
    [1, 0, '잠금은 갱신되지 않는다.'],
    [1, 0, '잠금은 갱신하지 못했다.'],
    [1, 0, '잠금이 없다.'],
    [1, 0, '이것은 잠금이 아니다.'],
    [1, 0, '비가 안 온다.'],
    [0, 0, '국내 법안을 끊임없이 잘못 읽은 연못'],
    [0, 1, '잠금은 갱신될 수 있다.'],
    [1, 1, '잠금은 갱신할 수 없다.'],
    [0, 1, '전체의 셋은 수입산으로 추정된다.'],
  ])('counts %i negations and %i hedges in %s', (negations, hedges, text) => {
    expect(counts(text)).toEqual([negations, hedges]);
  });
});
