import { type Span, spansOf } from '../text-spans';

const MOBILE = '01[016789]';
const AREA = `(?:${MOBILE}|02|0(?:3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|80|50[2-8]))`;
const SEPARATOR = '(?: ?[-.] ?| )';
const REST = String.raw`\d{3,4}${SEPARATOR}\d{4}`;
/** `010-1234-5678`, and as people in Korea write it: `02)123-4567`, `82-10-1234-5678`. */
const KOREAN = new RegExp(
  String.raw`(?<!\d|\d[-.]|\+)(?:${[
    // Only mobile numbers match without separators: area numbers would look like any other number.
    String.raw`(?<![A-Za-z_])${MOBILE}\d{8}(?![A-Za-z_])`,
    String.raw`(?:82${SEPARATOR})?(?:\(?${AREA}\)${SEPARATOR}?|${AREA}${SEPARATOR})${REST}`,
    String.raw`82${SEPARATOR}(?:1[016789]|2)${SEPARATOR}${REST}`,
  ].join('|')})(?!\d|[-.]\d)`,
  'g',
);
/** In groups: `+82 (0)10-1234-5678`. */
const INTERNATIONAL =
  /(?<![\d+])\+[1-9]\d{0,14}(?:[ .()-]{1,3}\d{1,10}){0,8}(?![A-Za-z\d_])/g;
/** The country codes that ITU-T E.164 assigns; none is a prefix of another. */
export const COUNTRY_CODE =
  /^(?:1|7|2(?:0|7|[1-6]\d|9[01789])|3(?:[0123469]|5\d|7[0-8]|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|0\d|9\d)|6(?:[0-6]|[7-8]\d|9[0-2])|8(?:[1246]|5[0235-6]|80|86)|9(?:[0-58]|6[0-8]|7[0-79]|9[2-68]))/;
const [SHORTEST, LONGEST] = [9, 15];

export function findKoreanPhones(text: string): Span[] {
  return spansOf(KOREAN, text);
}

/** Numbers with `+` and a country code. */
export function findInternationalPhones(text: string): Span[] {
  return spansOf(INTERNATIONAL, text).flatMap(({ start, end }) => {
    const length = phoneLength(text.slice(start, end));
    return length > 0 ? [{ start, end: start + length }] : [];
  });
}

/** The length of the longest run of groups that is one number. What follows may be a date or a count. */
function phoneLength(written: string): number {
  // A decimal number: a coordinate, or a change in per cent.
  if (/^\+\d+\.\d+$/.test(written)) return 0;
  const groups = [...written.matchAll(/\d+/g)];
  const [code] = COUNTRY_CODE.exec(groups[0][0]) ?? [];
  if (!code) return 0;
  let [digits, longest] = ['', 0];
  for (const { 0: group, index } of groups) {
    digits += group;
    if (isPhone(code, digits.slice(code.length)))
      longest = index + group.length;
  }
  return longest;
}

function isPhone(code: string, national: string): boolean {
  switch (code) {
    case '1':
      return /^[2-9]\d{2}[2-9]\d{6}$/.test(national);
    case '7':
      return /^[3-9]\d{9}$/.test(national);
    case '82':
      return /^0?(?:1[016789]\d{7,8}|2\d{7,8}|[3-8]\d{7,10})$/.test(national);
    default: {
      const length = code.length + national.length;
      return length >= SHORTEST && length <= LONGEST;
    }
  }
}
