import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from './app';

const appFolder = fileURLToPath(new URL('..', import.meta.url));
const axeSource = readFileSync(join(appFolder, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What fades in has no contrast yet. An animation without end is not waited for, and one that is taken away has ended. */
async function untilFadedIn(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(finite.map(({ finished }) => finished));
}

/** What axe finds against WCAG A and AA in what is shown now, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(untilFadedIn);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axeSource);
    const { violations } = (await page.evaluate(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'] })",
    )) as AxeResults;
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(found, colorScheme).toEqual([]);
  }
}
