import { words } from '../i18n/language';

/** The steps of the agent, which reports them in English. */
const names = words({
  en: (detail: string) => detail,
  ko: (detail: string) => {
    const [found, replace] =
      KOREAN.find(([pattern]) => pattern.test(detail)) ?? [];
    return found && replace ? detail.replace(found, replace) : detail;
  },
});

const KOREAN: [RegExp, string][] = [
  [/^Scope$/, '질문의 범위'],
  [/^Plan$/, '계획'],
  [/^Outline$/, '개요'],
  [/^Looking for gaps, round (\d+)$/, '$1번째 빠진 부분 찾기'],
  [/^Reading (.*)$/s, '$1 읽는 중'],
  [/^Writing section (\d+)$/, '$1번째 절 작성'],
  [/^Writing (.*)$/s, '$1 작성'],
];

export function activityText(detail: string): string {
  return names()(detail);
}
