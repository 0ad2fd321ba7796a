export type Language = 'ko' | 'en';

const HANGUL = /[\u3131-\u318e\uac00-\ud7a3]/g;

/** Korean if at least a tenth of the letters are: a Korean question may contain many Latin names. */
export function languageOf(text: string): Language {
  const hangul = text.match(HANGUL)?.length ?? 0;
  const latin = text.match(/[a-z]/gi)?.length ?? 0;
  return hangul > 0 && hangul * 9 >= latin ? 'ko' : 'en';
}

/** An explicit instruction has precedence over the language of the question. */
export function replyLanguage(
  instructions: string,
  question: string,
): Language {
  if (/english|영어/i.test(instructions)) return 'en';
  if (/korean|한국어/i.test(instructions)) return 'ko';
  return languageOf(question);
}

export const sandboxNote: Record<Language, string> = {
  ko: '_샌드박스 응답: 모델이 아니라 내장된 작은 자료 모음에서 뽑아 쓴 글입니다._',
  en: '_Sandbox reply: extracted from a small bundled corpus, not written by a model._',
};
