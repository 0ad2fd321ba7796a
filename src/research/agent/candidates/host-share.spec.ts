import type { Candidate } from '../agent-ports';
import { withHostShare } from './host-share';

const page = (host: string, at: number): Candidate => ({
  url: `https://${host}/${at}`,
  title: `${host} ${at}`,
  private: false,
});
const of = (host: string, count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => page(host, at));
const titles = (lists: readonly Candidate[][]) =>
  lists.map((list) => list.map(({ title }) => title));

describe(withHostShare.name, () => {
  it('has at most a third of the pages from one host in front, and what is more at the end, in its order', () => {
    const lists = [[...of('a.example', 4), ...of('b.example', 2)]];
    expect(titles(withHostShare(lists, 6, 'why?'))).toEqual([
      [
        'a.example 0',
        'a.example 1',
        'b.example 0',
        'b.example 1',
        'a.example 2',
        'a.example 3',
      ],
    ]);
  });

  it('counts a host over all directions, and loses no page', () => {
    const lists = [
      [...of('a.example', 2), page('c.example', 0)],
      [page('www.a.example', 7), page('b.example', 1)],
    ];
    expect(titles(withHostShare(lists, 6, 'why?'))).toEqual([
      ['a.example 0', 'c.example 0', 'a.example 1'],
      ['www.a.example 7', 'b.example 1'],
    ]);
  });

  it('leaves a host that the question names, and what has no host', () => {
    const lists = [of('a.example', 5), [{ ...page('', 0), url: 'document:1' }]];
    expect(withHostShare(lists, 3, 'What does A.example say?')).toEqual(lists);
  });
});
