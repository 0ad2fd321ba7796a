import type { Candidate } from '../agent-ports';
import { candidateOf, pageKey } from './candidate';
import { before, deal } from './dealing';
import type { TriedPage } from './tried-page';

const hit = (path: string, rank: number, query = 'q'): Candidate =>
  candidateOf(
    {
      url: `https://a.example/${path}`,
      title: path,
      snippet: `about ${path}`,
      provider: 'p',
    },
    { text: query, scope: 'public', limit: 10 },
    rank,
  );
const hits = (query: string, ...paths: string[]): Candidate[] =>
  paths.map((path, at) => hit(path, at, query));
const names = (lists: readonly Candidate[][]): string[][] =>
  lists.map((list) => list.map(({ title }) => title));
const untried = new Map<string, TriedPage>();

describe(candidateOf.name, () => {
  it('keeps the page, the fragment and the excerpt apart, each within its bound', () => {
    const text = `${'x'.repeat(299)}😀`;
    const one = candidateOf(
      {
        url: 'https://a.example/p#part-2',
        title: 't',
        snippet: text,
        provider: 'p',
      },
      { text: 'q', scope: 'public', limit: 10 },
      4,
    );
    expect(one).toEqual({
      url: 'https://a.example/p',
      fragment: 'part-2',
      title: 't',
      snippet: 'x'.repeat(299),
      private: false,
      query: 'q',
      rank: 4,
    });
  });

  it('takes a fragment that names a page as part of its address', () => {
    expect(hit('#!/one', 0)).toMatchObject({ url: 'https://a.example/#!/one' });
    expect(hit('#!/one', 0)).not.toHaveProperty('fragment');
  });

  it('keeps the address of a held text as its provider gave it', () => {
    const url = 'https://a.example/p#1';
    const query = { text: 'q', scope: 'private' as const, limit: 10 };
    const held = { url, title: 't', snippet: '', provider: 'p', content: 'c' };
    expect(candidateOf(held, query, 0)).toMatchObject({ url, held: query });
  });
});

describe(deal.name, () => {
  it('gives a page to the direction where it ranks best, and equal ranks to the first of the plan', () => {
    const { fresh } = deal(
      [hits('one', 'a', 'b', 'c'), hits('two', 'c', 'b', 'd')],
      untried,
    );
    expect(names(fresh)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('has no page twice among those to be read, and loses none', () => {
    const lists = [
      [...hits('1', 'a', 'b', 'c'), ...hits('2', 'b', 'a#x', 'e')],
      [...hits('3', 'c', 'a', 'b'), ...hits('4', 'f', 'e')],
    ];
    const keys = deal(lists, untried).fresh.flat().map(pageKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(keys)).toEqual(new Set(lists.flat().map(pageKey)));
  });

  it('has a page of two fragments once to be read, and once for its other part', () => {
    const { fresh, further } = deal(
      [hits('1', 'p#security'), hits('2', 'p#backports')],
      untried,
    );
    expect(fresh.flat().map((one) => one.fragment)).toEqual(['security']);
    expect(further.flat().map((one) => one.fragment)).toEqual(['backports']);
  });

  it('offers a page that was read for its other parts where it ranks well, and none that could not be read', () => {
    const page = (path: string) => pageKey(hit(path, 0));
    const tried = new Map<string, TriedPage>([
      [page('a'), { source: 1, read: [], sought: [], whole: false }],
      [page('b'), { read: [], sought: [], whole: true }],
    ]);
    const dealt = deal([hits('1', 'b', 'a', 'c'), [hit('a', 7)]], tried);
    expect(names(dealt.fresh)).toEqual([['c'], []]);
    expect(names(dealt.further)).toEqual([['a'], []]);
  });
});

describe(before.name, () => {
  it('puts what a round has found before what is left, and no page in two lists', () => {
    const lists = before(
      [hits('new', 'a'), hits('new', 'b')],
      [hits('old', 'b', 'c'), hits('old', 'a')],
    );
    expect(names(lists)).toEqual([['a', 'c'], ['b']]);
  });
});
