import type { DateParts, DateQuantity } from './quantity';

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December';
const SHORT = 'Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec';
const NAMES = MONTHS.split('|').map((name) => name.slice(0, 3).toLowerCase());
const QUARTERS = ['first', 'second', 'third', 'fourth'];
const ORDINAL = '(?:st|nd|rd|th)?';

/** A pattern and the fields of its groups. Earlier patterns win over later ones at the same place. */
const PATTERNS: readonly [RegExp, readonly (keyof DateParts)[]][] = [
  [
    /(?<![\d.-])(\d{4})-(\d{2})(?:-(\d{2}))?(?![\d-])/g,
    ['year', 'month', 'day'],
  ],
  [
    /(?<![\d./])(\d{4})[./]\s?(\d{1,2})[./]\s?(\d{1,2})(?![\d/])\.?/g,
    ['year', 'month', 'day'],
  ],
  [/(?<!\d)(\d{3}0)년대/g, ['decade']],
  [/(?<![\d가-힣])(\d{1,2})세기/g, ['century']],
  [/(?<!\d)(\d{4})년도?\s*([1-4])\s?분기/g, ['year', 'quarter']],
  [/(?<!\d)(\d{4})년도?\s*(상반기|하반기)/g, ['year', 'half']],
  [
    /(?<!\d)(\d{4})년(?!\s?(?:동안|이상|이내|만에|간(?:\s|$)))도?(?:\s*(\d{1,2})월(?:\s*(\d{1,2})일)?)?/g,
    ['year', 'month', 'day'],
  ],
  [/(?<!\d)(\d{1,2})월(?:\s*(\d{1,2})일)?/g, ['month', 'day']],
  [/(?<!\d)([1-4])\s?분기/g, ['quarter']],
  [/(상반기|하반기)/g, ['half']],
  [
    new RegExp(
      `\\b(${MONTHS}|${SHORT})\\.?\\s+(\\d{1,2})${ORDINAL}(?:,?\\s+(\\d{4}))?(?!\\d)(?![A-Za-z])`,
      'g',
    ),
    ['month', 'day', 'year'],
  ],
  [
    new RegExp(
      `\\b(\\d{1,2})${ORDINAL}\\s+(?:of\\s+)?(${MONTHS}|${SHORT})\\b\\.?(?:,?\\s+(\\d{4}))?(?!\\d)`,
      'g',
    ),
    ['day', 'month', 'year'],
  ],
  [
    new RegExp(
      `\\b(${MONTHS}|${SHORT})\\.?,?\\s+(?:of\\s+)?(\\d{4})(?!\\d)`,
      'g',
    ),
    ['month', 'year'],
  ],
  [
    new RegExp(
      `(?<=\\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Ll]ate|[Ee]arly|[Ll]ast|[Nn]ext|[Mm]id|[Ff]rom|[Tt]o|[Oo]f)[ -])(${MONTHS})\\b`,
      'g',
    ),
    ['month'],
  ],
  [/\bQ([1-4])(?:\s+(?:of\s+)?|,\s*)(\d{4})(?!\d)/g, ['quarter', 'year']],
  [/(?<!\d)(\d{4})\s+Q([1-4])(?!\d)/g, ['year', 'quarter']],
  [/\bQ([1-4])(?![\dA-Za-z])/g, ['quarter']],
  [
    /\b(first|second|third|fourth)[ -]quarter(?:\s+(?:of\s+)?(?:fiscal\s+)?(\d{4}))?(?!\d)/gi,
    ['quarter', 'year'],
  ],
  [/\b(first|second) half\s+of\s+(\d{4})(?!\d)/gi, ['half', 'year']],
  [/(?<![\d.,-])(\d{3}0)['’]?s\b/g, ['decade']],
  [/(?<!\d)(\d{1,2})(?:st|nd|rd|th)[ -]century\b/gi, ['century']],
];

/** Dates of a text in English, Korean and ISO form, in order, without overlaps. Impossible dates are none. */
export function datesOf(text: string): DateQuantity[] {
  const found: DateQuantity[] = [];
  const taken = new Uint8Array(text.length);
  for (const [pattern, fields] of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].trimEnd().length;
      const date = partsOf(fields, match.slice(1));
      if (!date || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      found.push({ kind: 'date', start, end, date });
    }
  return found.sort((left, right) => left.start - right.start);
}

function partsOf(
  fields: readonly (keyof DateParts)[],
  groups: readonly (string | undefined)[],
): DateParts | undefined {
  const entries = fields.flatMap((field, index) => {
    const group = groups[index];
    return group === undefined ? [] : [[field, fieldOf(field, group)] as const];
  });
  const date: DateParts = Object.fromEntries(entries);
  const { month = 1, day = 1, century = 1 } = date;
  const isPossible =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && century >= 1;
  return isPossible ? date : undefined;
}

function fieldOf(field: keyof DateParts, group: string): number {
  if (/^\d+$/.test(group)) return Number(group);
  if (field === 'month')
    return NAMES.indexOf(group.slice(0, 3).toLowerCase()) + 1;
  if (field === 'quarter') return QUARTERS.indexOf(group.toLowerCase()) + 1;
  return /^(?:first|상반기)$/i.test(group) ? 1 : 2;
}

/** Whether everything that `stated` has `known` has too. */
export function isImplied(stated: DateParts, known: DateParts): boolean {
  return (Object.keys(stated) as (keyof DateParts)[]).every(
    (field) => stated[field] === known[field],
  );
}
