import { effect, signal } from '@preact/signals';

const STORED_AS = 'sonde.language';

export const LANGUAGES = ['en', 'ko'] as const;
export type Language = (typeof LANGUAGES)[number];

export const language = signal<Language>(initial());

effect(() => {
  document.documentElement.lang = language.value;
});

export function setLanguage(chosen: Language): void {
  localStorage.setItem(STORED_AS, chosen);
  language.value = chosen;
}

/** The texts of one screen; both languages have the same ones. */
export function words<W>(all: Record<Language, W>): () => W {
  return () => all[language.value];
}

function initial(): Language {
  const wanted = [localStorage.getItem(STORED_AS), ...navigator.languages];
  const known = wanted.map((one) =>
    LANGUAGES.find((name) => one?.toLowerCase().startsWith(name)),
  );
  return known.find((one) => one !== undefined) ?? 'en';
}
