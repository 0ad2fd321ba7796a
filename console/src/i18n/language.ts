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

/** The texts of one screen; every language has those of the first. */
export function words<W>(all: { en: W; ko: NoInfer<W> }): () => W {
  return () => all[language.value];
}

/** The name of a value that comes from the service, if this version knows it. */
export function nameOf(names: object, value: string): string | undefined {
  return (names as Record<string, string | undefined>)[value];
}

/** A value that this version does not know is its own name. */
export function named(names: object, value: string): string {
  return nameOf(names, value) ?? value;
}

function initial(): Language {
  const wanted = [localStorage.getItem(STORED_AS), ...navigator.languages];
  const known = wanted.map((one) =>
    LANGUAGES.find((name) => one?.toLowerCase().startsWith(name)),
  );
  return known.find((one) => one !== undefined) ?? 'en';
}
