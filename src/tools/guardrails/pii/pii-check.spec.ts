import type { GuardrailContext } from '../guardrail';
import { piiCheck } from './pii-check';
import { Tripwire } from '../tripwire';

const context = {} as GuardrailContext;
const redacted = (text: string) => piiCheck('redact')(text, context);

const hex = (length: number) => '0123456789abcdef'.repeat(5).slice(0, length);
const mixed = (length: number) => 'aB3dE6gH9jK2mN5p'.repeat(8).slice(0, length);
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${mixed(43)}`;
const pem = (kind: string, lineEnd = '\n') =>
  [
    `-----BEGIN ${kind}-----`,
    mixed(64),
    `${mixed(30)}+/==`,
    `-----END ${kind}-----`,
  ].join(lineEnd);

describe(piiCheck.name, () => {
  it.each<[given: string, left: string]>([
    // E-mail
    ['Write to kim.lee+news@mail.example.co.kr.', 'Write to [e-mail].'],
    ['<a@b.io>, "c@d.io"; (e@f.io)', '<[e-mail]>, "[e-mail]"; ([e-mail])'],
    ['kim@example.com으로 보내 주세요', '[e-mail]으로 보내 주세요'],
    ['메일은lee_1@example.kr입니다', '메일은[e-mail]입니다'],
    [
      '[write](mailto:kim@example.com?subject=a)',
      '[write](mailto:[e-mail]?subject=a)',
    ],
    ['kim＠example．com', '[e-mail]'],
    ['a@b.com:hunter2', '[e-mail]:hunter2'],
    ['..kim@example.com.', '..[e-mail].'],
    ['a@b.com@c.com', '[e-mail]@c.com'],
    ['KIM@XN--3E0B707E.XN--3E0B707E', '[e-mail]'],

    // Phones
    ['010-1234-5678로 전화해 주세요', '[phone]로 전화해 주세요'],
    ['전화:01012345678입니다', '전화:[phone]입니다'],
    ['010.1234.5678 / 010 1234 5678', '[phone] / [phone]'],
    ['０１０－１２３４－５６７８', '[phone]'],
    ['010–1234–5678', '[phone]'],
    ['010·1234·5678', '[phone]'],
    ['010 - 1234 - 5678', '[phone]'],
    ['82 2-123-4567', '[phone]'],
    ['1. 011-234-5678 2. 02-123-4567', '1. [phone] 2. [phone]'],
    ['(02) 1234-5678, 02)123-4567', '[phone], [phone]'],
    ['(031-123-4567) 070-1234-5678', '([phone]) [phone]'],
    ['82-10-1234-5678', '[phone]'],
    ['tel:+82-10-1234-5678 M+82-10-1234-5678', 'tel:[phone] M[phone]'],
    ['+82 (0)10-1234-5678', '[phone]'],
    ['+821012345678번', '[phone]번'],
    ['+82 2 123 4567', '[phone]'],
    ['Call +1 (415) 555-2671 or +14155552671.', 'Call [phone] or [phone].'],
    ['+44 20 7946 0958', '[phone]'],
    ['+33 1 23 45 67 89', '[phone]'],
    ['+7 495 123-45-67', '[phone]'],
    ['+1 415 555 2671 2024-01-01', '[phone] 2024-01-01'],
    ['+821012345678 2024', '[phone] 2024'],
    ['010-1234-5678/010-2345-6789', '[phone]/[phone]'],

    // Resident numbers: with a checksum, of a foreigner, and of those that end in random digits
    ['주민번호 900101-1234568입니다', '주민번호 [resident number]입니다'],
    ['9001011234568', '[resident number]'],
    ['９００１０１－１２３４５６８', '[resident number]'],
    ['900101 1234568', '[resident number]'],
    ['900101 - 1234568', '[resident number]'],
    ['850315-5123450', '[resident number]'],
    ['201001-3123456은', '[resident number]은'],
    ['240229-4000000', '[resident number]'],
    ['000229-3123454', '[resident number]'],

    // Cards
    ['4111 1111 1111 1111', '[card]'],
    ['카드 4111-1111-1111-1111로 결제', '카드 [card]로 결제'],
    ['4111111111111111, 5555555555554444', '[card], [card]'],
    ['3782 822463 10005', '[card]'],
    ['2223003122003222', '[card]'],
    ['6011111111111117 3530111333300000', '[card] [card]'],
    ['3056 930902 5904', '[card]'],
    ['6200 0000 0000 0005', '[card]'],
    ['2024 4111 1111 1111 1111 12', '2024 [card] 12'],
    ['４１１１－１１１１－１１１１－１１１１', '[card]'],

    // Keys
    [`key=sk-proj-${mixed(60)}_-${mixed(20)}`, 'key=[key]'],
    [`sk-${hex(48)}`, '[key]'],
    [`sk-ant-api03-${mixed(90)}`, '[key]'],
    [`ghp_${mixed(36)} github_pat_${mixed(22)}_${mixed(59)}`, '[key] [key]'],
    ['AKIAIOSFODNN7EXAMPLE을 씁니다', '[key]을 씁니다'],
    [`AIza${mixed(35)}`, '[key]'],
    [`xoxb-123456789012-${mixed(24)}`, '[key]'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '[key]'],
    [`Authorization: Bearer ${JWT}`, 'Authorization: Bearer [key]'],
    [
      `https://a.example/?key=AIza${mixed(35)}&q=1`,
      'https://a.example/?key=[key]&q=1',
    ],
    [`a\n${pem('PRIVATE KEY')}\nb`, 'a\n[key]\nb'],
    [`{"k": "${pem('RSA PRIVATE KEY', '\\n')}\\n"}`, '{"k": "[key]\\n"}'],
    [pem('OPENSSH PRIVATE KEY').slice(0, 120), '[key]'],

    // Several, and beside URLs
    [
      'kim,https://a.example/x,010-1234-5678,a@b.io',
      'kim,https://a.example/x,[phone],[e-mail]',
    ],
    [
      'a@b.io 010-1234-5678 900101-1234568',
      '[e-mail] [phone] [resident number]',
    ],
    ['(https://a.example)010-1234-5678', '(https://a.example)[phone]'],
    ['https://a.example에서 010-1234-5678', 'https://a.example에서 [phone]'],
  ])('takes out of %j what it should', (given, left) => {
    expect(redacted(given)).toBe(left);
  });

  it.each([
    // No e-mail
    '@kim and kim@localhost, a @ b.com, npm i lodash@4.17.21, x@y',
    'logo@2x.png git@github.com:a/b.git',
    'user@-example.com user@example..com',

    // Dates, years, versions, amounts, times
    '2024-01-15, 2024.01.15, 15/01/2024, 20240115, 1999-2024',
    '2026-11-21T13:15:46.440Z +09:00 UTC+9 2024-01-01 12:00',
    'v1.2.3, 10.0.0.7, 192.168.100.1000, 2.10.1234, node 24.19.2',
    '1,234,567,890원, +100,000, +12.5%, -20.1234, 010',
    '+82 123 45678, +7 123 456 7890, +1 015 555 2671, +999 123 456 789',
    '+37.56653512, +126.97801234, +33.12345678',
    'C++11 20240101, 3+12345678901',
    '서울 02구 0212345678, 2024년 10월 12일, 1588',

    // Ids and books
    'ISBN 978-0-201-63361-0, 9788936434267, 0-201-63361-2, 0201633612',
    '12345678901234567890, order 20240115-0001234, 1732224000000',
    'inv_01a1fe3f9fa474859e0befe205eea73b 550e8400-e29b-41d4-a716-446655440000',
    '010-1234-5678-9012, 123-010-1234-5678, a01012345678f, 0101234567890',
    'start_index 267 end_index 356 [12:345]',

    // Almost resident numbers
    '901301-1234567 900230-1234567 230229-3123456 050101-9123455 050101-0123459',
    '900101-1234567',
    '9001011234567 2010013123456',
    '991231-3123456',
    '1-900101-1234568 900101-1234568-1',

    // Almost cards
    '4111 1111 1111 1112, 4111 1111 1111, 1234567890123452',
    '0.4111111111111111 x4111111111111111 4111111111111111y',
    '4111 1111 1111 11 11, 411 11111 1111 1111',
    '9999999999999995',

    // Almost keys
    'sk-hynix-to-build-a-new-factory-in-2026, sk-short, sk-…, task-management-system-for-teams',
    `ghp_short AKIASHORT AIza${mixed(34)} AIza${mixed(36)} xoxb- whsec_… eyJhbGciOiJIUzI1NiJ9 eyJ.a.b`,
    `-----BEGIN PRIVATE KEY----- is its first line`,
    pem('CERTIFICATE'),
    `A${'A'.repeat(40)}AKIAIOSFODNN7EXAMPLE`,

    // URLs
    'https://a.example/item/4111111111111111?tel=010-1234-5678&to=a@b.io',
    'https://kim@b.example/ https://medium.example/@kim.lee@b.io',
    'https://ko.wikipedia.org/wiki/짜장면_010-1234-5678 www.a.example/900101-1234568',
    '[report](https://a.example/(4111111111111111)/x)',
  ])('leaves alone what only looks like it: %j', (text) => {
    expect(redacted(text)).toBe(text);
  });

  it('returns a text without matches unchanged', () => {
    const text = '짜장면의 역사 1.\n';
    expect(piiCheck('refuse')(text, context)).toBe(text);
  });

  it('in refuse mode, refuses without quoting the match', () => {
    const check = () => piiCheck('refuse')('Call 010-1234-5678', context);
    expect(check).toThrow(Tripwire);
    try {
      void check();
    } catch (tripwire) {
      expect(JSON.stringify(tripwire)).not.toContain('1234');
      expect((tripwire as Tripwire).safeText).toBe(
        'This cannot be answered: it holds personal data or keys.',
      );
    }
  });

  // What would be read again from every place takes hours at this length.
  it.each([
    'a@b-',
    'a.',
    '1-',
    '4111 ',
    '+1 ',
    '010-',
    'eyJa.',
    'sk-',
    '-----BEGIN PRIVATE KEY-----\nA',
    'https://가',
  ])('comes to an end with a million characters of %j', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(redacted(text)).toBe(text);
  });
});
