import { countTokens } from '../../../llm/tokens/count-tokens';
import type { PageText } from './lines';
import { type Want, wantedParts } from './wanted-parts';

const TOKENS = 300;
const count = (text: string) => countTokens(text, { cjk: 1, other: 1 });
const plain = (text: string): PageText => ({ text, headings: [] });

const partsOf = async (page: PageText, want: Partial<Want> = {}) => {
  const all = { tokens: TOKENS, parts: 1, queries: [], read: [], ...want };
  const { parts } = await wantedParts(page, all, count);
  return parts.map((part) => ({
    ...part,
    words: page.text.slice(part.start, part.end),
  }));
};

/** Sections with headings; each has words of its own. */
function manual(names: readonly string[], sentences = 12): PageText {
  const headings: PageText['headings'][number][] = [];
  let text = '';
  for (const name of names) {
    headings.push({
      at: text.length,
      level: 2,
      text: name,
      ids: [`s-${name}`],
    });
    const body = Array.from(
      { length: sentences },
      (_, at) => `Step ${at} of the ${name} takes some minutes of the day.`,
    );
    text += `${name}\n\n${body.join(' ')}\n\n`;
  }
  return { text, headings };
}

const NAMES = ['backup', 'upgrade', 'security', 'removal', 'printing'];

describe(wantedParts.name, () => {
  it('reads what the queries are about, wherever it stands', async () => {
    for (const name of NAMES) {
      const [part] = await partsOf(manual(NAMES), {
        queries: [`${name} of it`],
      });
      expect(part.words).toMatch(new RegExp(`^${name}\n`));
    }
  });

  it('weighs a rare word more than words of every part', async () => {
    const page = plain(
      Array.from(
        { length: 60 },
        (_, at) =>
          `Minutes of the day, and minutes of the night, number ${at}${at === 40 ? ', with a polarimeter' : ''}.`,
      ).join('\n\n'),
    );
    const queries = ['the minutes of the day and of the night', 'polarimeter'];
    const [part] = await partsOf(page, { queries });
    expect(part.words).toContain('polarimeter');
  });

  it('finds Korean words with other particles', async () => {
    const rows = ['김치를', '한글은', '해녀가', '온돌에서'].map((name) =>
      `${name} 많은 사람이 알고 있으며 오늘도 그 이야기를 한다. `.repeat(12),
    );
    const page = plain(rows.join('\n\n'));
    const [part] = await partsOf(page, { queries: ['온돌의 역사'] });
    expect(part.words).toContain('온돌');
  });

  it('reads the part of a fragment first, as it is written in an address', async () => {
    const [part] = await partsOf(manual(NAMES), {
      fragment: 's-removal',
      queries: ['backup'],
    });
    expect(part.words).toMatch(/^removal\n/);
    const page = manual(['온돌', ...NAMES]);
    const fragment = encodeURIComponent('s-온돌');
    const [korean] = await partsOf(page, { fragment, queries: ['backup'] });
    expect(korean.words).toMatch(/^온돌\n/);
  });

  it('never reads a part twice, and has none where all was read', async () => {
    const page = manual(NAMES);
    const read: Want['read'][number][] = [];
    for (let at = 0; at < NAMES.length; at += 1) {
      const [part] = await partsOf(page, { queries: ['minutes'], read });
      for (const { start, end } of read)
        expect(part.start >= end || part.end <= start).toBe(true);
      read.push(part);
    }
    const queries = ['minutes'];
    expect(await partsOf(page, { parts: 9, queries, read })).toEqual([]);
  });

  it('reads for another query only what has a word of it', async () => {
    const page = manual(NAMES);
    const [read] = await partsOf(page, { queries: ['backup'] });
    const another = { queries: ['carpets'], read: [read] };
    expect(await partsOf(page, another)).toEqual([]);
  });

  it('leaves out what shares words with the queries beside a part that is about them, also where that was read', async () => {
    const page = manual(NAMES);
    const about = { parts: 3, queries: ['minutes of the security'] };
    const parts = await partsOf(page, about);
    expect(parts.map(({ words }) => words.split('\n', 1)[0])).toEqual([
      'security',
    ]);
    expect(await partsOf(page, { ...about, read: parts })).toEqual([]);
    const other = { parts: 9, queries: ['minutes'], read: parts };
    expect(await partsOf(page, other)).toHaveLength(NAMES.length - 1);
  });

  it('has several parts in the order of the page, and none without a word of the queries', async () => {
    const parts = await partsOf(manual(NAMES), {
      parts: 4,
      queries: ['printing', 'backup'],
    });
    expect(parts.map(({ words }) => words.split('\n', 1)[0])).toEqual([
      'backup',
      'printing',
    ]);
    const [first] = await partsOf(manual(NAMES), { queries: ['김치'] });
    expect(first.start).toBe(0);
  });

  it('has parts that fit and together are the page', async () => {
    const text = Array.from(
      { length: 300 },
      (_, at) => `The tower has the number ${at} in the catalogue.`,
    ).join(' ');
    const parts = await partsOf(plain(text), { parts: 99 });
    expect(parts.length).toBeGreaterThan(5);
    expect(parts[0].start).toBe(0);
    expect(parts.at(-1)!.end).toBe(text.length);
    for (const [at, { words, start }] of parts.entries()) {
      expect(count(words)).toBeLessThanOrEqual(TOKENS);
      expect(words).toMatch(/^The .*\.$/);
      if (at > 0) expect(start).toBeLessThan(parts[at - 1].end);
    }
  });

  it('finds a row of a table of 2,000 rows', async () => {
    const rows = Array.from(
      { length: 2_000 },
      (_, at) => `Tower no. ${at} | ${at * 3} m | brick${at}`,
    );
    const page = plain(['Name | Height | Made of', ...rows].join('\n'));
    const [part] = await partsOf(page, { queries: ['brick1234 tower'] });
    expect(part.words.split('\n')).toContain(rows[1_234]);
    expect(count(part.words)).toBeLessThanOrEqual(TOKENS);
  });

  it.each([
    ['one line of words', 'tower '.repeat(350_000)],
    ['one line without a break', '가'.repeat(700_000)],
    ['short lines', 'ab\n'.repeat(200_000)],
    [
      'empty lines and a word',
      `${'\n \n'.repeat(20_000)}${'tower '.repeat(40_000)}`,
    ],
  ])('gives other work its turn while it reads 2 MB of %s', async (_, text) => {
    let turns = 0;
    let over = false;
    const other = (): void => {
      turns += 1;
      if (!over) setImmediate(other);
    };
    setImmediate(other);
    const parts = await partsOf(plain(text), { tokens: 1_500 });
    over = true;
    expect(parts).toHaveLength(1);
    expect(turns).toBeGreaterThan(text.length / 50_000);
  });

  it('has nothing of a page without words', async () => {
    expect(await partsOf(plain(' \n '))).toEqual([]);
  });
});
