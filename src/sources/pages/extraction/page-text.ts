import { languageOf } from '../../../platform/message/language';

const MAX_TITLE_CHARS = 300;

/** Text without control characters and lone surrogates, at most one empty line in a row. */
export function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export function tidyTitle(title: string): string {
  const line = tidy(title).replace(/\s+/g, ' ');
  return line.slice(0, MAX_TITLE_CHARS).toWellFormed();
}

/** Two more than a page needs to be about something. */
export function isEmptyText(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** The first of the declared languages that is a language tag, else one by script. */
export function pageLanguage(
  declared: readonly (string | undefined)[],
  text: string,
): string | undefined {
  for (const value of declared) {
    const tag = value?.split(',', 1)[0].trim().replaceAll('_', '-') ?? '';
    if (/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/i.test(tag)) return canonical(tag);
  }
  return languageOf(text);
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
