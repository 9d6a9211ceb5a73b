import { typeFormat } from './app';
import { unreachable } from './reachable';
import { expect, test } from './served';

/** 1280×720 at 200 %, a phone, 1280×1024 at 400 % as WCAG 1.4.10 has it, and a low window. */
const sizes = [
  { width: 640, height: 360 },
  { width: 400, height: 720 },
  { width: 320, height: 256 },
  { width: 1280, height: 400 },
];

test('on a small or enlarged page every control of every screen is reached by scrolling', async ({
  page,
  served,
}) => {
  await page.goto(served.address);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');
  // Something in the column of alerts.
  await page.keyboard.press('f');
  await expect(page.getByTestId('alert')).toHaveCount(1);
  const screens = page.getByRole('navigation', { name: 'Screens' }).getByRole('button');
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const screen of await screens.all()) {
      await screen.click();
      await expect(screen).toHaveAttribute('aria-current', 'page');
      expect(await unreachable(page), `${await screen.innerText()} at ${size.width}×${size.height}`).toEqual(
        [],
      );
    }
    await screens.first().click();
    const strip = page.getByTestId('stream-strip');
    await strip.scrollIntoViewIfNeeded();
    await expect(strip).toBeInViewport();
  }
});
