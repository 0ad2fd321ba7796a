import { mintInvocationToken, tokenMatches } from './invocation-token';

describe('invocation tokens', () => {
  it('hold over 240 random bits and are verified by their hash alone', () => {
    const [first, second] = [mintInvocationToken(), mintInvocationToken()];
    expect(first.token).toMatch(/^ivt_[0-9a-f]{64}$/);
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(first.token).not.toBe(second.token);
    expect(tokenMatches(first.token, [first.hash])).toBe(true);
    expect(tokenMatches(first.token, [second.hash])).toBe(false);
  });

  it('match any of several hashes', () => {
    const { token, hash } = mintInvocationToken();
    expect(tokenMatches(token, [mintInvocationToken().hash, hash])).toBe(true);
  });

  it.each([undefined, '', 'ivt_', 'x'.repeat(10_000)])('refuse %p', (token) => {
    expect(tokenMatches(token, [mintInvocationToken().hash])).toBe(false);
  });

  it('match nothing when the stored hash is damaged or missing', () => {
    const { token } = mintInvocationToken();
    expect(tokenMatches(token, [])).toBe(false);
    expect(tokenMatches(token, ['', 'zz'])).toBe(false);
  });
});
