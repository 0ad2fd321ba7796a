import { languageNames, languageTag } from './language-tag';

describe(languageTag.name, () => {
  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['ko-KR', 'ko-KR'],
    ['en_US', 'en-US'],
    ['eng', 'en'],
    ['kor', 'ko'],
    ['fil', 'fil'],
    ['iw', 'he'],
    ['zh-Hans', 'zh-CN'],
    ['zh_Hant', 'zh-TW'],
    ['zh-Hant-HK', 'zh-HK'],
    ['es-419', 'es'],
    ['de-DE-u-co-phonebk', 'de-DE'],
    ['English', 'en'],
    ['english', 'en'],
    ['American English', 'en'],
    ['Korean (한국어)', 'ko'],
    ['한국어', 'ko'],
    ['日本語', 'ja'],
    ['Deutsch', 'de'],
    ['Language: French.', 'fr'],
    ['Chinese (Simplified)', 'zh'],
    ['fr (BCP 47)', 'fr'],
  ])('reads %j as %s', async (given, tag) => {
    expect(languageTag(given, await languageNames())).toBe(tag);
  });

  it.each([
    '',
    ' ',
    '?',
    'BCP 47',
    'the same as the question',
    'und',
    'x-private',
    'qqq',
    '12',
    '\ud800',
    'zz'.repeat(10_000),
  ])('reads no language in %j', async (given) => {
    expect(languageTag(given, await languageNames())).toBeUndefined();
  });
});
