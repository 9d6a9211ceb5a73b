import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { type Console, expect } from './app';
import { findMisfits, resize } from './layout';

const folder = fileURLToPath(new URL('../test-results/e2e/screens', import.meta.url));

export const pictureSizes = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
  { width: 3840, height: 2160 },
];

/** A picture of what is shown now. What does not fit in it fails the test at its end, so that one run finds all of it. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const found = await findMisfits(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  expect.soft(found, name).toEqual([]);
}

/** One picture for each size and theme. */
export async function shootAll({ page }: Pick<Console, 'page'>, name: string): Promise<void> {
  for (const size of pictureSizes) {
    await resize(page, size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `${name}-${size.width}-${colorScheme}`);
    }
  }
}
