import { Places } from './places';

describe(Places.name, () => {
  const asked = (places: Places, ...ids: string[]) =>
    ids.map((id) => places.ask(id));

  it('lets no more runs ask than it has places, and gives a place to the one whose turn it is', () => {
    const places = new Places(2);
    expect(asked(places, 'a', 'b', 'c')).toEqual([true, true, false]);
    // Whose turn it is is not decided yet.
    expect(places.room).toBe(2);
    places.reserve('b');
    places.decline('a');
    expect(places.room).toBe(1);
    expect(asked(places, 'c', 'd')).toEqual([true, false]);
    expect(places.take('b')).toBe(true);
    places.free('b');
    expect(asked(places, 'd')).toEqual([true]);
  });

  it('keeps the place of a run however often it is delivered', () => {
    const places = new Places(1);
    expect([places.ask('a'), places.take('a')]).toEqual([true, true]);
    expect([places.ask('a'), places.take('b')]).toEqual([true, false]);
    places.reserve('a');
    places.decline('a');
    expect(places.room).toBe(0);
    places.free('a');
    expect(places.take('b')).toBe(true);
  });

  it('frees the place of an admitted run that does not begin', () => {
    jest.useFakeTimers();
    const places = new Places(1);
    places.ask('a');
    places.reserve('a');
    jest.advanceTimersByTime(9_999);
    expect(places.room).toBe(0);
    jest.advanceTimersByTime(1);
    expect(places.room).toBe(1);
    jest.useRealTimers();
  });
});
