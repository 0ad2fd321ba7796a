import { decimal, times } from './decimal';
import type { NumberQuantity, Quantity } from './quantity';

const DASH = /^\s?[-–—~∼〜～]\s?$/;
const TO = /^\s(?:to|and)\s$/;
const SCALE_WORD =
  /(hundred|thousand|million|billion|trillion|mn|bn|tn|[kKMB]|[십백천]?[만억조])/;
const SCALES: Record<string, number> = {
  hundred: 2,
  thousand: 3,
  k: 3,
  million: 6,
  mn: 6,
  m: 6,
  billion: 9,
  bn: 9,
  b: 9,
  trillion: 12,
  tn: 12,
  만: 4,
  십만: 5,
  백만: 6,
  천만: 7,
  억: 8,
  십억: 9,
  백억: 10,
  천억: 11,
  조: 12,
};

/** Marks the ends of ranges, and gives the first number the unit and the scale that stand after the second. */
export function withRanges(
  text: string,
  found: readonly Quantity[],
): Quantity[] {
  const marked = [...found];
  for (let i = 0; i + 1 < marked.length; i += 1) {
    const [low, high] = [marked[i], marked[i + 1]];
    if (low.kind !== 'number' || high.kind !== 'number' || low.isYearLike)
      continue;
    const link = text.slice(low.end, high.start);
    const isChange = low.relation === 'from' || /^에서\s?$/.test(link);
    const isRange =
      DASH.test(link) || (TO.test(link) && isBetween(text, low, link));
    const isLike = low.unit === high.unit || low.unit === '';
    if (!isLike || (!isRange && !isChange)) continue;
    marked[i] = {
      ...sharing(text, low, high),
      ...(isRange && !isChange && { edge: 'low' as const }),
    };
    if (isRange && !isChange) marked[i + 1] = { ...high, edge: 'high' };
  }
  return marked;
}

function isBetween(text: string, low: NumberQuantity, link: string): boolean {
  if (/to/.test(link)) return low.relation !== 'from';
  return /\bbetween\s$/i.test(
    text.slice(Math.max(0, low.start - 8), low.start),
  );
}

function sharing(
  text: string,
  low: NumberQuantity,
  high: NumberQuantity,
): NumberQuantity {
  if (low.unit !== '' || low.counted !== '') return low;
  const { unit, counted, factor } = high;
  const own = SCALE_WORD.test(text.slice(low.start, low.end));
  const word = SCALE_WORD.exec(
    text.slice(high.start, high.end),
  )?.[1].toLowerCase();
  const power = own || word === undefined ? 0 : (SCALES[word] ?? 0);
  const value = times(times(low.value, factor), decimal(1n, power));
  return { ...low, unit, counted, factor, value };
}
