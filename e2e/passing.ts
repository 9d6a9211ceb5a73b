import type { Page } from '@playwright/test';

/**
 * Resolves once the page shows all of these at one moment, however soon they are gone again: each is the first element of a
 * selector, with the pattern of its text. The page looks itself, so that what holds up the test hides nothing. Called before
 * what leads there.
 */
export async function seenTogether(page: Page, texts: Readonly<Record<string, RegExp>>): Promise<void> {
  const wanted = Object.entries(texts).map(([selector, { source }]) => ({ selector, source }));
  await page.waitForFunction(
    (all) =>
      all.every(({ selector, source }) => {
        const element = document.querySelector(selector);
        const isShown = element !== null && element.getClientRects().length > 0;
        return isShown && new RegExp(source).test(element.textContent ?? '');
      }),
    wanted,
    { polling: 50, timeout: 60_000 },
  );
}
