import { sentenceLanguage } from './sentence-language';

describe(sentenceLanguage.name, () => {
  it.each([
    ['en', 'The lock is renewed by its owner.'],
    ['en', 'Sales rose 12%.'],
    ['ko', '잠금은 30초마다 갱신된다.'],
    ['ko', 'SQLite는 D. Richard Hipp이 2000년에 처음 공개한 라이브러리이다.'],
    ['ko', '짜장면은 자장몐(炸醬麵)에서 비롯되었습니다.'],
    ['other', 'Der Umsatz stieg um 12 Prozent und ist nicht gefallen.'],
    ['other', 'Les ventes ont augmenté de 12 % dans le nord.'],
    ['other', '電車は毎日走っている。'],
    ['other', '列车每天运行。'],
    ['other', 'Продажи выросли на 12 процентов.'],
    ['other', 'ارتفعت المبيعات بنسبة 12 في المئة'],
    ['other', '12 % 34'],
    ['other', ''],
  ])('is %s for %j', (language, text) => {
    expect(sentenceLanguage(text)).toBe(language);
  });
});
