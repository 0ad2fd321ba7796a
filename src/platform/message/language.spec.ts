import { languageOf } from './language';

describe(languageOf.name, () => {
  it.each([
    ['ko', '짜장면은 자장몐(炸醬麵)에서 비롯되었습니다.'],
    ['ko', 'Jajangmyeon, the 짜장면 of Incheon'],
    ['ja', '電車は毎日走っている。'],
    ['zh', '列车每天运行。'],
    ['th', 'ประวัติศาสตร์ของบะหมี่'],
    ['el', 'Το τρένο περνά κάθε μέρα.'],
    ['he', 'הרכבת נוסעת כל יום.'],
    [undefined, 'The train runs daily.'],
    [undefined, 'The dish that Koreans call 면 came to Incheon in 1883.'],
    [undefined, '12 % 34'],
    [undefined, `${'a'.repeat(20_000)}${'가'.repeat(20_000)}`],
  ])('is %s for %.60s', (language, text) => {
    expect(languageOf(text)).toBe(language);
  });
});
