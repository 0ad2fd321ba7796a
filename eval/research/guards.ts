/** What `--without` takes out, to show what it is good for: see `Site`. */
export const GUARDS = ['dedupe'] as const;
export type Guard = (typeof GUARDS)[number];
