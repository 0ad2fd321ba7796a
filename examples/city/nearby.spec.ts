import { areaOf, metresBetween, within } from './nearby';

const SEOUL = { latitude: 37.5663, longitude: 126.9779 };
const BUSAN = { latitude: 35.1796, longitude: 129.0756 };

describe('what is near', () => {
  it('is measured along the earth', () => {
    expect(metresBetween(SEOUL, SEOUL)).toBe(0);
    expect(metresBetween(SEOUL, BUSAN) / 1_000).toBeCloseTo(325, -1);
  });

  it.each([
    [undefined, 5_000],
    [300, 300],
    [20_000, 20_000],
    [90_000, 20_000],
  ])('is looked for with the radius %s within %i metres', (radius, metres) => {
    expect(areaOf({ ...BUSAN, radius })).toEqual({
      centre: BUSAN,
      radius: metres,
    });
  });

  it.each([{}, { latitude: 35 }, { longitude: 129 }])(
    'is around the city hall if the place is %j',
    (where) => {
      expect(areaOf(where).centre).toEqual(SEOUL);
    },
  );

  it('takes a latitude of zero for a place', () => {
    expect(areaOf({ latitude: 0, longitude: 0 }).centre).toEqual({
      latitude: 0,
      longitude: 0,
    });
  });

  it('is told with its distance, the nearest first', () => {
    const near = { ...SEOUL, latitude: 37.57 };
    const found = within(areaOf({}), [near, BUSAN, SEOUL]);
    expect(found).toEqual([
      { ...SEOUL, distance_metres: 0 },
      { ...near, distance_metres: 411 },
    ]);
  });
});
