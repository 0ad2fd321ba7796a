import { parsePrefer } from './prefer';

describe(parsePrefer.name, () => {
  it.each([
    [undefined, { respondAsync: false }],
    ['respond-async', { respondAsync: true }],
    ['respond-async, wait=10', { respondAsync: true, waitSeconds: 10 }],
    [
      'Respond-Async;foo=bar, WAIT = "7"',
      { respondAsync: true, waitSeconds: 7 },
    ],
    [['wait=1', 'respond-async'], { respondAsync: true, waitSeconds: 1 }],
    ['wait=5, wait=9', { respondAsync: false, waitSeconds: 5 }],
    ['wait=0', { respondAsync: false, waitSeconds: 0 }],
  ])('reads %j', (header, expected) => {
    expect(parsePrefer(header)).toEqual(expected);
  });

  it.each(['wait=soon', 'wait', 'wait=-1', 'return=minimal', ',,;=', ''])(
    'ignores %j, as the RFC demands',
    (header) => {
      expect(parsePrefer(header)).toEqual({ respondAsync: false });
    },
  );
});
