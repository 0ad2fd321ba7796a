import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';

const GRAVE = ['serious', 'critical'];
const MAX_ELEMENTS = 5;

/** What axe finds serious or critical in the page as it is now: a text per rule, with the first elements. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  )) as AxeResults;
  return violations
    .filter(({ impact }) => GRAVE.includes(impact ?? ''))
    .map(({ id, impact, help, nodes }) =>
      [
        `${impact} ${id}: ${help} (${nodes.length} of them)`,
        ...nodes
          .slice(0, MAX_ELEMENTS)
          .map(
            ({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`,
          ),
      ].join('\n  '),
    );
}
