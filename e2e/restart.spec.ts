import { type Console, expect, launchConsole, test, typeFormat } from './app';

function boundsOf({ app }: Console) {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
}

test('what was typed, the plan and the window are there after a restart', async ({ folder }) => {
  const first = await launchConsole(folder);
  await first.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 40, width: 1340, height: 780 }),
  );
  const { page } = first;
  await typeFormat(page, '1920x1080@25');
  await page.getByText('Noise', { exact: true }).click();
  await page.getByLabel(/^Hold/).fill('17');
  await page.getByLabel(/^Hold/).press('Escape');
  await page.keyboard.press('2');
  await page.locator('[data-experiment="preflight"]').click();
  await page.locator('[data-field="durationSeconds"]').getByRole('textbox').fill('3.5');
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByTestId('plan-step')).toHaveCount(1);
  const bounds = await boundsOf(first);
  await first.close();

  const second = await launchConsole(folder);
  expect(await boundsOf(second)).toEqual(bounds);
  const again = second.page;
  // The screen is the one that was left.
  await expect(again.getByTestId('plan-step')).toHaveText(/Listening time/);
  await again.locator('[data-experiment="preflight"]').first().click();
  await expect(again.locator('[data-field="durationSeconds"]').getByRole('textbox')).toHaveValue('3.5');
  await again.keyboard.press('1');
  await expect(again.getByRole('textbox', { name: /^Format/ })).toHaveValue('1920x1080@25');
  await expect(again.getByRole('radio', { name: 'Noise' })).toBeChecked();
  await expect(again.getByLabel(/^Hold/)).toHaveValue('17');
  await second.close();
});
