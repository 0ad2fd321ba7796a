import { effect, signal } from '@preact/signals';

const STORED_AS = 'sonde.theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Of this browser: it outlives the tab, as the language does. */
export const theme = signal<Theme>(
  THEMES.find((one) => one === localStorage.getItem(STORED_AS)) ?? 'system',
);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function nextTheme(): void {
  const at = THEMES.indexOf(theme.value);
  theme.value = THEMES[(at + 1) % THEMES.length];
  localStorage.setItem(STORED_AS, theme.value);
}
