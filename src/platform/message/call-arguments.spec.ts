import { newCallId, parseCallArguments } from './call-arguments';

describe(parseCallArguments.name, () => {
  it.each(['{', '[]', 'null', '"text"', '7'])('refuses %s', (json) => {
    expect(parseCallArguments(json)).toBeNull();
  });

  it('parses an empty string as an empty object', () => {
    expect(parseCallArguments(' ')).toEqual({});
  });
});

it('creates ids that every endpoint accepts', () => {
  expect(newCallId()).toMatch(/^[\w-]{1,40}$/);
  expect(newCallId()).not.toBe(newCallId());
});
