import fc from 'fast-check';
import { agreement } from './agreement';
import { asNumber } from './decimal';
import { quantitiesOf } from './quantities';
import type { Quantity } from './quantity';

const FIELDS = ['year', 'quarter', 'half', 'month', 'day'];

/** A short form for tables: "4200000000 USD", "2024-3", "literal 1,5". */
function shown(one: Quantity): string {
  if (one.kind === 'literal') return `literal ${one.text}`;
  if (one.kind === 'date')
    return Object.entries(one.date)
      .sort(([left], [right]) => FIELDS.indexOf(left) - FIELDS.indexOf(right))
      .map(([field, value]) => `${field} ${value}`)
      .join(' ');
  const bound = one.bound === 'exact' ? '' : `${one.bound} `;
  return [`${bound}${asNumber(one.value)}`, one.unit || one.counted, one.edge]
    .filter(Boolean)
    .join(' ');
}
const all = (text: string): string[] => quantitiesOf(text).map(shown);

describe(quantitiesOf.name, () => {
  it.each<[string, string[]]>([
    ['1,000 1000 １，０００ 1\u202f000', ['1000', '1000', '1000', '1000']],
    [
      '3천 1만 2천 3억 1억 2,000만 4조 2천억 2만5천',
      ['3000', '12000', '300000000', '120000000', '4200000000000', '25000'],
    ],
    ['천 번 만 하루', []],
    [
      '5천만 원, 5천만원, ₩50,000,000',
      ['50000000 KRW', '50000000 KRW', '50000000 KRW'],
    ],
    [
      '$4.2 billion, 4.2 billion dollars, US$4.2bn, USD 4,200,000,000, 42억 달러',
      Array<string>(5).fill('4200000000 USD'),
    ],
    ['€5m and 5 million euros', ['5000000 EUR', '5000000 EUR']],
    [
      '12% 12 percent 12 per cent 12퍼센트 １２％',
      Array<string>(5).fill('12 %'),
    ],
    ['3%p, 3 percentage points', ['3 pp', '3 pp']],
    [
      '5–7%, 5 to 7 percent, 5~7%',
      ['5 % low', '7 % high', '5 % low', '7 % high', '5 % low', '7 % high'],
    ],
    ['from 5% to 7%; 5%에서 7%로', ['5 %', '7 %', '5 %', '7 %']],
    ['5-7 million people', ['5000000 person low', '7000000 person high']],
    ['1.5 km 1,500 metres 1500미터', ['1500 m', '1500 m', '1500 m']],
    ['90 minutes 1.5시간', ['5400 s', '5400 s']],
    [
      'more than 300, 300명 이상, 300+, at least 300 people',
      ['min 300', 'min 300 person', 'min 300', 'min 300 person'],
    ],
    [
      'about 300, 약 300, 300여 명, 300명가량, ~300',
      [
        'about 300',
        'about 300',
        'about 300 person',
        'about 300 person',
        'about 300',
      ],
    ],
    [
      'fewer than 300; 300명 미만; up to 300',
      ['max 300', 'max 300 person', 'max 300'],
    ],
    ['-5 °C, −5도', ['-5 °C', '-5 °']],
    [
      'twenty-three people; two hundred and five; 1.2 million',
      ['23 person', '205', '1200000'],
    ],
    [
      '세 가지, 두 명, 열두 개, 스무 살',
      ['3 kind', '2 person', '12 item', '20 age'],
    ],
    ['one of them, 한 시대의', []],
    [
      '1,5 and 1.2.3 and 10:30 and 3/4 and 1,00,000',
      [
        'literal 1,5',
        'literal 1.2.3',
        'literal 10:30',
        'literal 3/4',
        'literal 1,00,000',
      ],
    ],
    [
      '10² and ① and ½ and ١٢',
      ['literal 10²', 'literal ①', 'literal ½', 'literal ١٢'],
    ],
    ['GPT-4, x86, H2O, COVID-19', []],
  ])('reads %s', (text, expected) => {
    expect(all(text)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['year 2024 month 3', '2024년 3월|March 2024|Mar 2024|2024-03|March, 2024'],
    [
      'year 2024 month 3 day 15',
      '2024년 3월 15일|2024-03-15|2024. 3. 15.|2024/03/15',
    ],
    [
      'year 2024 month 3 day 15',
      'March 15, 2024|Mar. 15, 2024|March 15th 2024',
    ],
    ['year 2024 month 3 day 15', '15 March 2024|15th of March 2024'],
    ['year 2024 quarter 1', '2024년 1분기|2024 Q1'],
    ['year 2024 quarter 1', 'Q1 2024|first quarter of 2024'],
    ['year 2024 half 2', '2024년 하반기'],
    ['year 2024 half 2', 'second half of 2024'],
    ['decade 1990', '1990s|1990년대'],
    ['century 19', '19th century|19세기'],
    ['year 1999', '1999년'],
    ['1999', '1999'],
    ['1500 year', '1500년 동안|1,500 years'],
    ['literal 2024-13', ''],
  ])('reads %s from %s', (expected, texts) => {
    for (const text of texts.split('|').filter(Boolean))
      expect(all(text)[0]).toBe(expected);
  });

  it('gives offsets of the original text', () => {
    const text = '🍜 매출은 １２％ 늘어 ₩3억이다.';
    expect(
      quantitiesOf(text).map(({ start, end }) => text.slice(start, end)),
    ).toEqual(['１２％', '₩3억']);
  });

  it('reads every formatting of a number as the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 999_999_999 }), (number) => {
        const korean =
          `${Math.floor(number / 10_000)}만 ${number % 10_000 || ''}`.trim();
        const forms = [
          String(number),
          number.toLocaleString('en-US'),
          korean,
          `${number / 1_000_000} million`,
        ];
        const [first, ...rest] = forms.map(
          (form) => quantitiesOf(`${form} km`)[0],
        );
        for (const other of rest) expect(agreement(first, other)).toBe('same');
      }),
    );
  });

  it('reads two numbers as different, whatever their formatting', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.nat(999_999), (left, right) => {
        fc.pre(left !== right);
        const [one, other] = [
          quantitiesOf(`${left.toLocaleString('en-US')} km`)[0],
          quantitiesOf(`${right} km`)[0],
        ];
        expect(agreement(one, other)).not.toBe('same');
      }),
    );
  });

  it('keeps order and does not overlap, whatever comes in', () => {
    const piece = fc.constantFrom(
      '1',
      '9',
      ',',
      '.',
      '천',
      '만',
      '억',
      '원',
      '%',
      '-',
      '~',
      ' to ',
      ' ',
      '$',
      'million',
      'March',
      '월',
      '년',
      '²',
      '０',
      '세 명',
      'one hundred',
      ' and ',
      '１',
      'Q3',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 80 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        let at = 0;
        for (const { start, end } of quantitiesOf(given)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '9'.repeat(20_000),
    '1,'.repeat(10_000),
    '1만 '.repeat(5_000),
    'one '.repeat(5_000),
    '2024년 '.repeat(2_000),
    '1-'.repeat(5_000),
  ])('takes a long run of one thing', (text) => {
    expect(quantitiesOf(text).length).toBeLessThanOrEqual(text.length);
  });
});

describe(agreement.name, () => {
  const compare = (stated: string, quoted: string) =>
    agreement(quantitiesOf(stated)[0], quantitiesOf(quoted)[0]);

  it.each([
    ['1,000', '1000', 'same'],
    ['March 2024', '2024년 3월 15일', 'same'],
    ['in 2024', '15 March 2024', 'same'],
    ['15 March 2024', 'March 2024', 'differs'],
    ['2024', '2024년', 'same'],
    ['2,024', '2024년', 'differs'],
    ['300 people', '300명', 'same'],
    ['300', '300명', 'same'],
    ['300명', '300개', 'differs'],
    ['5', '5%', 'differs'],
    ['5%', '5%p', 'differs'],
    ['5%', '5–7%', 'differs'],
    ['4.3 million', '4,321,000', 'rounded'],
    ['about 4 million', '4,321,000', 'rounded'],
    ['4 million', '4,321,000', 'differs'],
    ['300', '약 300', 'rounded'],
    ['약 300', '300', 'same'],
    ['300', 'more than 300', 'differs'],
    ['more than 300', '300', 'differs'],
    ['1,5', '1,5', 'same'],
    ['1,5', '1.5', 'differs'],
  ])('of %s with %s is %s', (stated, quoted, expected) => {
    expect(compare(stated, quoted)).toBe(expected);
  });
});
