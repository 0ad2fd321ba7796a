import { shorterQuery } from './shorter-query';

describe(shorterQuery.name, () => {
  it.each([
    ['"stable release" site:debian.org policy', 'stable release policy'],
    ['updates -ubuntu (testing OR unstable)', 'updates testing unstable'],
  ])('drops quotes and operators first: %s', (query, shorter) => {
    expect(shorterQuery(query)).toBe(shorter);
  });

  it('drops the shortest words, and keeps names and numbers, in their order', () => {
    expect(shorterQuery('how do I upgrade Debian 12 to testing safely')).toBe(
      'I upgrade Debian 12 testing',
    );
  });

  it.each(['', 'one', 'two words', '"" ()'])(
    'has nothing shorter for "%s"',
    (query) => {
      expect(shorterQuery(query)).toBeUndefined();
    },
  );

  it('ends: each query is shorter than the one before', () => {
    let query: string | undefined = '"a b" c d e f g h i j k l m n o p q r s';
    for (
      let length = Infinity;
      query !== undefined;
      query = shorterQuery(query)
    ) {
      expect(query.length).toBeLessThan(length);
      length = query.length;
    }
  });

  it('reads a query of one endless mark within its bound', () => {
    expect(shorterQuery('"'.repeat(300))).toBeUndefined();
    expect(shorterQuery(`${'-'.repeat(298)} a`)).toBe('a');
  });
});
