import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { type Console, expect } from './app';
import { findMisfits, resize } from './layout';

const folder = fileURLToPath(new URL('../test-results/e2e/screens', import.meta.url));

const small = { width: 1280, height: 720 };
const usual = { width: 2560, height: 1440 };
/** In these people look at the screens. */
export const picturedSizes = [small, usual];
/** The smallest, and the one in which open alerts leave a screen the least room. */
export const tightSizes = [small, { width: 1600, height: 1000 }];
const checkedSizes = [small, { width: 1920, height: 1080 }, usual, { width: 3840, height: 2160 }];

/**
 * Looks for what does not fit in what is shown now: that fails the test at its end, so that one run finds all of it. Takes a picture
 * if one is wanted, and of what does not fit: a picture takes several times as long as the look.
 */
export async function shoot(page: Page, name: string, isWanted = true): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const found = await findMisfits(page);
  if (isWanted || found.length > 0) await page.screenshot({ path: join(folder, `${name}.png`) });
  expect.soft(found, name).toEqual([]);
}

/** In each size and theme. */
export async function shootAll(
  { page }: Pick<Console, 'page'>,
  name: string,
  sizes: readonly (typeof small)[] = checkedSizes,
): Promise<void> {
  for (const size of sizes) {
    await resize(page, size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot(
        page,
        `${name}-${size.width}-${colorScheme}`,
        sizes !== checkedSizes || picturedSizes.includes(size),
      );
    }
  }
}
