import { parsePrefer } from './prefer';

describe(parsePrefer.name, () => {
  it.each([
    [undefined, { respondAsync: false, strict: false }],
    ['respond-async', { respondAsync: true, strict: false }],
    [
      'respond-async, wait=10',
      { respondAsync: true, strict: false, waitSeconds: 10 },
    ],
    [
      'Respond-Async;foo=bar, WAIT = "7"',
      { respondAsync: true, strict: false, waitSeconds: 7 },
    ],
    [
      ['wait=1', 'respond-async'],
      { respondAsync: true, strict: false, waitSeconds: 1 },
    ],
    ['wait=5, wait=9', { respondAsync: false, strict: false, waitSeconds: 5 }],
    ['handling=strict', { respondAsync: false, strict: true }],
    [
      'handling=lenient, handling=strict',
      { respondAsync: false, strict: false },
    ],
    ['wait=0', { respondAsync: false, strict: false, waitSeconds: 0 }],
  ])('reads %j', (header, expected) => {
    expect(parsePrefer(header)).toEqual(expected);
  });

  it.each(['wait=soon', 'wait', 'wait=-1', 'return=minimal', ',,;=', ''])(
    'ignores %j, as the RFC demands',
    (header) => {
      expect(parsePrefer(header)).toEqual({
        respondAsync: false,
        strict: false,
      });
    },
  );
});
