import { blocksOf, docPages, readPage } from '../../support/docs/docs';
import { Reader } from '../../support/docs/docs-reader';

const PAGES = docPages().filter((page) =>
  blocksOf(readPage(page)).some(({ info }) => /^runnable\b/.test(info)),
);

describe('the docs, followed as they are written', () => {
  let reader: Reader;
  beforeAll(async () => {
    reader = await Reader.start();
  });
  afterAll(() => reader.stop(), 180_000);

  it('have pages to follow', () => {
    expect(PAGES).toEqual(
      expect.arrayContaining(['README.md', 'docs/chat.md', 'docs/ko/chat.md']),
    );
  });

  // A page is dozens of programs.
  it.each(PAGES)(
    '%s works from top to bottom, twice',
    async (page) => {
      await reader.follow(page);
      await reader.follow(page);
    },
    600_000,
  );
});

describe('the check of an output', () => {
  const shown = `id: 4
event: progress
data: {"invocation_id":"inv_1…","status":"running","data":{"kind":"web_search"}}
…
{"content":"Kimchi is …","agent":null, "usage": {…}}`;
  const output = `id: 9
event: progress
data: {"invocation_id":"inv_2","status":"running","data":{"kind":"web_search"}}

{"content":"Kimchi is salted.","agent":null,"usage":{"total_tokens":1}}
`;

  it('takes what differs in ids, numbers and what is left out', () => {
    expect(Reader.missing(shown, output)).toEqual([]);
  });

  it.each([
    ['event: progress', 'event: error', 'event: progress'],
    ['"running"', '"queued"', '"status":"running"'],
    ['"usage"', '"use"', '"usage":'],
    ['Kimchi is', 'Hangul is', '"content":"Kimchi is '],
    ['null', '"city"', '"agent":null'],
  ])('misses %s where there is %s', (there, instead, missing) => {
    expect(Reader.missing(shown, output.replace(there, instead))).toEqual([
      missing,
    ]);
  });
});
