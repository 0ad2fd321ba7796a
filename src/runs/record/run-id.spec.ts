import {
  derivedId,
  freshId,
  notFound,
  SUBMITTED,
  timeOf,
  versionOf,
  withVersion,
} from './run-id';

const AT = Date.UTC(2026, 0, 1);

describe.each(['inv_', 'chat_'] as const)(
  'ids that begin with %s',
  (prefix) => {
    const fresh = freshId(prefix, AT);
    const derived = derivedId(prefix, AT, 'seed');

    it('have one form, derived or not', () => {
      const form = new RegExp(`^${prefix}[0-9a-f]{12}7[0-9a-f]{19}$`);
      expect(fresh).toMatch(form);
      expect(derived).toMatch(form);
      expect(freshId(prefix, AT)).not.toBe(fresh);
    });

    it('tell when they were made', () => {
      expect(timeOf(fresh)).toBe(AT);
      expect(timeOf(derived)).toBe(AT);
    });

    it('sort in the order in which they were made, also while the clock is corrected', () => {
      const clock = [0, 0, 1, 1, -500, 0, 2].map((ms) => AT + 9_000 + ms);
      const ids = clock.map((now) => freshId(prefix, now));
      expect(ids).toEqual([...new Set(ids)].sort());
      const setBack = freshId(prefix, AT);
      expect(timeOf(setBack)).toBe(AT);
    });

    it('are the same for the same seed and time alone', () => {
      expect(derivedId(prefix, AT, 'seed')).toBe(derived);
      expect(derivedId(prefix, AT, 'other')).not.toBe(derived);
      expect(derivedId(prefix, AT + 1, 'seed')).not.toBe(derived);
    });

    it('have a version, which can be changed there and back', () => {
      expect([versionOf(fresh), versionOf(derived)]).toEqual(['7', '7']);
      const other = withVersion(derived, '8');
      expect(versionOf(other)).toBe('8');
      expect(timeOf(other)).toBe(AT);
      expect(withVersion(other, SUBMITTED)).toBe(derived);
    });
  },
);

it('says which kind of thing is not there', () => {
  expect(notFound('chat_1').code).toBe('chat_not_found');
  expect(notFound('inv_1').code).toBe('invocation_not_found');
});
