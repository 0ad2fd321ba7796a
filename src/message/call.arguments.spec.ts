import { newCallId, parseCallArguments } from './call.arguments';

describe(parseCallArguments.name, () => {
  it.each(['{', '[]', 'null', '"text"', '7'])('refuses %s', (json) => {
    expect(parseCallArguments(json)).toBeNull();
  });

  it('takes nothing for an empty object', () => {
    expect(parseCallArguments(' ')).toEqual({});
  });
});

it('makes ids that every endpoint takes back', () => {
  expect(newCallId()).toMatch(/^[\w-]{1,40}$/);
  expect(newCallId()).not.toBe(newCallId());
});
