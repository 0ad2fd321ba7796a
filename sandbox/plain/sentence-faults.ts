import { cleaned } from './extract';

/** The first number is one more. A sentence without a number stays. */
export const numberAltered = (text: string): string =>
  text.replace(/\d+/, (digits) => String(Number(digits) + 1));

const WITHOUT: [RegExp, string][] = [
  [/\b(do|does|did) not /gi, ''],
  [
    /\b(is|are|was|were|can|could|has|have|had|will|would|may|must)(?: not|n['’]t)\b/gi,
    '$1',
  ],
  [/\bcannot\b/gi, 'can'],
  [/\b(no longer|not|never) /gi, ''],
  [/\bwithout\b/gi, 'with'],
  [/\bno (?=\p{L})/giu, 'a '],
  [/하지 않았/g, '하였'],
  [/지 않았/g, '었'],
  [/지 않/g, '고 있'],
  [/아닙니다/g, '맞습니다'],
  [/(이|가) 아니라/g, '이며'],
  [/ 없이/g, '을 써서'],
  [/없/g, '있'],
];

export const negationDropped = (text: string): string =>
  WITHOUT.reduce((kept, [sign, plain]) => kept.replace(sign, plain), text);

/** Reads like the page and stands nowhere in it. */
export const invented = (subject: string): string =>
  `Experts agree beyond doubt, according to an unpublished survey of 4711 people: ${subject.slice(0, 60)}`;

/** What an order wants to be written. */
export const orderedBy = (order: string): string =>
  /\b(?:write|say|report|answer)(?: only)?(?: that)?[: ]+(.+)$/is.exec(
    cleaned(order),
  )?.[1] ?? cleaned(order);
