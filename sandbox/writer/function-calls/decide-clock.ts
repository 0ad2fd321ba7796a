import type { FunctionTool } from 'openai/resources/responses/responses';
import { readClock } from '../text/clock';
import type { Conversation } from '../request/conversation';
import type { SteeredCall } from './steering';

const CLOCK = /^get_?current_?date_?time$/i;
const ALARM = /^set_?alarm$/i;
const ASKS_TIME =
  /\bwhat(?:'s|\s+is)?\s+(?:the\s+)?(?:current\s+)?(?:day|date|time)\b|\bcurrent\s+(?:date|time)\b|\bwhat\s+day\b|몇\s*시(?!간)|며칠|무슨\s*요일|(?:지금|현재)\s*시[간각]|(?:오늘|내일|어제|모레)\s*날짜/i;
const ASKS_ALARM = /\balarm\b|\bwake me\b|\bremind me\b|알람|깨워/i;
const SPAN =
  /(\d{1,4}|\ban?|한|두|세|열)\s*(seconds?|minutes?|mins?|hours?|초|분|시간)/i;
const FROM_NOW = /from now|later|뒤|후에?|있다|\bin\s+(?:\d|an?\b)/i;
const COUNTS: Record<string, number> = {
  a: 1,
  an: 1,
  한: 1,
  두: 2,
  세: 3,
  열: 10,
};
const AT =
  /(?:\bat\s+|(오전|오후|아침|저녁|밤)?\s*)(\d{1,2})(?::(\d{2})|\s*시\s*(?:(\d{1,2})\s*분)?)?\s*(am|pm|시)?/i;
const MS: [unit: RegExp, ms: number][] = [
  [/^s|초/i, 1_000],
  [/^m|분/i, 60_000],
  [/^h|시간/i, 3_600_000],
];

/** The call of a question about the time, or of a wish for an alarm, for which the time is asked first. */
export function clockCall(
  functions: readonly FunctionTool[],
  text: string,
  talk: Conversation,
  argumentsFor: (tool: FunctionTool, question: string) => string,
): SteeredCall | undefined {
  const clock = functions.find(({ name }) => CLOCK.test(name));
  const alarm = functions.find(({ name }) => ALARM.test(name));
  const outputOf = (pattern: RegExp) =>
    talk.toolOutputs.find(({ name }) => pattern.test(name))?.text;
  const known = outputOf(CLOCK);
  const asksAlarm = alarm !== undefined && ASKS_ALARM.test(text);
  if (clock && known === undefined && talk.toolOutputs.length === 0)
    if (asksAlarm || ASKS_TIME.test(text))
      return { name: clock.name, arguments: argumentsFor(clock, '') };
  if (!asksAlarm || outputOf(ALARM) !== undefined) return undefined;
  const time = timeIn(text, known);
  if (time === undefined) return undefined;
  const args = JSON.parse(argumentsFor(alarm, text)) as object;
  return { name: alarm.name, arguments: JSON.stringify({ ...args, time }) };
}

/** ISO 8601 with the offset of the clock; undefined without a time in the text. */
function timeIn(text: string, output: string | undefined): string | undefined {
  const now = readClock(output);
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (unit !== undefined && FROM_NOW.test(text)) {
    const [, ms] = MS.find(([name]) => name.test(unit))!;
    const times = COUNTS[count.toLowerCase()] ?? Number(count);
    return now.after(times * ms);
  }
  const [found, half = '', hour, minute, minutes, suffix = ''] =
    AT.exec(text) ?? [];
  const isTime = /:|시|am|pm|\bat\b/i.test(found ?? '');
  if (!isTime || Number(hour) > 23) return undefined;
  const isLate = /pm|오후|저녁|밤/i.test(half + suffix) && Number(hour) < 12;
  const at = Number(hour) + (isLate ? 12 : 0);
  return now.next(at, Number(minute ?? minutes ?? 0), now.days(text));
}
