import type { Page } from '@playwright/test';

/** Drops a file or a folder onto the middle of the window, as a user with a mouse does. */
export async function dropOnto(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { innerWidth, innerHeight } = await page.evaluate(() => ({
    innerWidth: window.innerWidth,
    innerHeight: window.innerHeight,
  }));
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x: innerWidth / 2,
      y: innerHeight / 2,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  }
  await session.detach();
}
