import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type * as Axe from 'axe-core';
import { expect } from './app';

const appFolder = fileURLToPath(new URL('..', import.meta.url));
const axeSource = readFileSync(join(appFolder, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What fades in has no contrast yet. An animation without end is not waited for, and one that is taken away has ended. */
export async function untilFadedIn(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(finite.map(({ finished }) => finished));
}

/**
 * What axe finds against WCAG A and AA in what is shown now. The theme changes colours and nothing else: in the light one it looks
 * at the rules of colours alone.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(untilFadedIn);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  for (const [colorScheme, runOnly] of [
    ['light', ['color-contrast', 'link-in-text-block']],
    ['dark', ['wcag2a', 'wcag2aa']],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(violations, [...runOnly]), colorScheme).toEqual([]);
  }
}

/** Runs in the page: all that axe says of what is right would be ten times as much to send. */
async function violations(runOnly: string[]): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof Axe };
  const found = await axe.run(document, { runOnly, resultTypes: ['violations'], preload: false });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
