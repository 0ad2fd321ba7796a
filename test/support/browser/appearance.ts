import type { Page } from './page';

/** Every language, theme and width. */
export const APPEARANCES = (['en', 'ko'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    ([360, 1280] as const).map((width) => ({ language, theme, width })),
  ),
);

/** What holds for every screen. Saves its picture first. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await page.screenshot(name);
  expect(await page.accessibilityFaults()).toEqual([]);
  expect(await page.tooWide()).toEqual([]);
  expect(await page.run('document.documentElement.lang')).toBe(
    page.options.language,
  );
  expect(page.problems()).toEqual([]);
}
