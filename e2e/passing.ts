import type { Page } from '@playwright/test';

/** The first elements of selectors, with the patterns of their texts, all at one moment. */
type Together = Readonly<Record<string, RegExp>>;

/**
 * Does something, and resolves once the page has shown each of these for a moment at least. The page looks itself, from before on, so
 * that what holds up the test hides nothing.
 */
export async function seenWhile(
  page: Page,
  moments: readonly Together[],
  act: () => Promise<void>,
): Promise<void> {
  const seen = moments.map((texts) => seenTogether(page, texts));
  await Promise.all([...seen, act()]);
}

async function seenTogether(page: Page, texts: Together): Promise<void> {
  const wanted = Object.entries(texts).map(([selector, { source, flags }]) => ({ selector, source, flags }));
  await page.waitForFunction(
    (all) =>
      all.every(({ selector, source, flags }) => {
        const element = document.querySelector(selector);
        const isShown = element !== null && element.getClientRects().length > 0;
        return isShown && new RegExp(source, flags).test(element.textContent ?? '');
      }),
    wanted,
    { polling: 50, timeout: 60_000 },
  );
}
