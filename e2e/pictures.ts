import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Console } from './app';

const folder = fileURLToPath(new URL('../test-results/e2e/screens', import.meta.url));

interface Size {
  width: number;
  height: number;
}

const [small, full, usual, large]: [Size, Size, Size, Size] = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
  { width: 3840, height: 2160 },
];
export const pictureSizes = { usual: [small, usual], all: [small, full, usual, large] };

export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** One picture for each size and theme. */
export async function shootAll(
  { page }: Pick<Console, 'page'>,
  name: string,
  sizes: readonly Size[] = pictureSizes.usual,
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      await shoot(page, `${name}-${size.width}-${colorScheme}`);
    }
  }
}
