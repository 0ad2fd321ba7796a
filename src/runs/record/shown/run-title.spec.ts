import { titleOf } from './run-title';

describe('the title of a run', () => {
  it.each([
    ['# The history of kimchi\n\nText', 'The history of kimchi'],
    ['# C\\# and \\*stars\\*\n', 'C# and *stars*'],
    ['\n# 김치의 역사', '김치의 역사'],
    ['## A section\n\n# Later', 'What is it?'],
    ['No heading', 'What is it?'],
    [null, 'What is it?'],
  ])('of %j is the heading of the report, or its question', (text, title) => {
    expect(titleOf('What is it?', text)).toBe(title);
  });

  it('has at most nine words, and is cut between them', () => {
    expect(titleOf('one two three four five six seven eight nine', null)).toBe(
      'one two three four five six seven eight nine',
    );
    expect(
      titleOf('one two three four five six seven eight nine, ten', null),
    ).toBe('one two three four five six seven eight nine…');
  });

  it('has at most eighty characters where there are no spaces', () => {
    const title = titleOf('😀'.repeat(500), null)!;
    expect(Array.from(title)).toHaveLength(81);
    expect(title.isWellFormed()).toBe(true);
  });

  it('is null without a question and a report', () => {
    expect(titleOf(null, null)).toBeNull();
    expect(titleOf('  ', '')).toBeNull();
  });
});
