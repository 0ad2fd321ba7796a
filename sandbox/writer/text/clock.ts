import type { Language } from '../../corpus/language';
import { isObject } from '../../wire/json';
import type { ToolOutput } from '../request/conversation';

const DAY_MS = 86_400_000;
const DAYS: [word: RegExp, days: number][] = [
  [/day after tomorrow|모레/i, 2],
  [/tomorrow|내일/i, 1],
  [/yesterday|어제/i, -1],
];
const NAMES: Record<Language, Record<number, string>> = {
  en: {
    [-1]: 'Yesterday was',
    0: 'Today is',
    1: 'Tomorrow is',
    2: 'The day after tomorrow is',
  },
  ko: { [-1]: '어제는', 0: '오늘은', 1: '내일은', 2: '모레는' },
};
const LOCALES: Record<Language, string> = { en: 'en-US', ko: 'ko-KR' };
const ASKS_HOUR = /\btime\b|몇\s*시|시[간각]/i;

/** The time as a tool has told it, or that of this machine in UTC. */
export class Clock {
  /** Milliseconds since the epoch, as if the local time were UTC. */
  private readonly local: number;
  private readonly offset: string;

  constructor(datetime: string) {
    const [, written = '', offset = 'Z'] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/.exec(
        datetime,
      ) ?? [];
    this.local = Date.parse(`${written}Z`);
    this.offset = offset;
  }

  after(ms: number): string {
    return this.written(this.local + ms);
  }

  /** The next time that it is so late, or that of the day that is named. */
  next(hour: number, minute: number, days: number): string {
    const midnight = Math.floor(this.local / DAY_MS) * DAY_MS;
    const today = midnight + (hour * 60 + minute) * 60_000;
    const isPast = days === 0 && today <= this.local;
    return this.written(today + (isPast ? 1 : days) * DAY_MS);
  }

  days(text: string): number {
    return DAYS.find(([word]) => word.test(text))?.[1] ?? 0;
  }

  /** The answer to a question about the day or the time. */
  answer(question: string, language: Language): string {
    const days = this.days(question);
    const locale = LOCALES[language];
    const date = new Date(this.local + days * DAY_MS);
    const day = date.toLocaleDateString(locale, {
      dateStyle: 'full',
      timeZone: 'UTC',
    });
    const isHour = days === 0 && ASKS_HOUR.test(question);
    const time = isHour ? `, ${this.written(this.local).slice(11, 16)}` : '';
    const end = language === 'ko' ? '입니다.' : '.';
    return `${NAMES[language][days]} ${day}${time}${end}`;
  }

  private written(local: number): string {
    return `${new Date(local).toISOString().slice(0, 19)}${this.offset}`;
  }
}

/** @param output of a tool: JSON with a `datetime`, or the time alone. */
export function readClock(output: string | undefined): Clock {
  const found = clockIn(output ?? '');
  return found ?? new Clock(new Date().toISOString());
}

/** What a clock or an alarm has told; undefined if another tool was called too. */
export function clockAnswer(
  question: string,
  outputs: readonly ToolOutput[],
  language: Language,
): string | undefined {
  const { name, text } = outputs.at(-1)!;
  if (/alarm/i.test(name)) {
    const time = fieldOf(text, 'time');
    if (time === undefined) return undefined;
    return language === 'ko'
      ? `알람을 ${time}에 맞췄습니다.`
      : `The alarm is set for ${time}.`;
  }
  return outputs.length === 1
    ? clockIn(text)?.answer(question, language)
    : undefined;
}

function clockIn(output: string): Clock | undefined {
  const written = fieldOf(output, 'datetime') ?? output.trim();
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(written)
    ? new Clock(written)
    : undefined;
}

function fieldOf(output: string, name: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(output);
    const value = isObject(parsed) ? parsed[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
