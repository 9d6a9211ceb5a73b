import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { type Console, expect, test } from './app';
import { expectAllUsed, watchControls } from './controls';
import { startAgentBeside, startServerBeside } from './fleet-beside';
import { expectFits } from './layout';

function machine(page: Page, name: string) {
  return page.getByTestId('fleet-machine').filter({ hasText: name });
}

/** Invites a machine by the form; its join file goes to this path. */
async function invite({ app, page }: Console, name: string, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Save its join file…' }).click();
}

test('from no fleet to a machine that sends the next stream, by the screen alone', {
  tag: '@electron',
}, async ({ whiteline, folder: own }) => {
  const { page, runsFolder } = whiteline;
  await watchControls(page);
  await page.keyboard.press('5');
  const state = page.getByTestId('fleet-server');
  await expect(state).toContainText('No fleet is set up.');
  await expect(state).toContainText('whiteline fleet start');
  await expectAccessible(page);
  await expectFits(page, 'fleet-none');
  const server = await startServerBeside(join(runsFolder, '..', 'user-data', 'fleet'));
  const joinFile = join(own, 'render-1.join.json');
  try {
    await expect(state).toHaveAttribute('data-server', 'connected');
    await invite(whiteline, 'render-1', joinFile);
    await expect(page.getByText('whiteline agent render-1.join.json', { exact: true })).toBeVisible();
    await invite(whiteline, 'render-1', joinFile);
    await expect(page.getByTestId('field-problem')).toContainText('render-1 is invited already');
    const before = readFileSync(joinFile, 'utf8');
    await page.getByRole('button', { name: 'Replace its join file…' }).click();
    await expect(page.getByTestId('field-problem')).toHaveCount(0);
    expect(readFileSync(joinFile, 'utf8')).not.toBe(before);
    await expect(machine(page, 'render-1')).toHaveAttribute('data-state', 'absent');
    const agent = await startAgentBeside(joinFile);
    try {
      await expect(machine(page, 'render-1')).toHaveAttribute('data-state', 'connected');
      await expect(machine(page, 'render-1')).toContainText('Connected');
      // By the keyboard alone.
      await page.getByRole('listbox', { name: 'Machines' }).focus();
      await page.keyboard.press('ArrowDown');
      const detail = page.getByTestId('fleet-detail');
      await expect(detail).toContainText('Network cards');
      await expect(detail.getByTestId('history-chart').first()).toContainText(/CPU\s*\d+ %/);
      await expectAccessible(page);
      await expectFits(page, 'fleet');
      await page.getByRole('listbox', { name: 'Machines' }).focus();
      for (const [button, key, role] of [
        ['Preflight…', null, null],
        ['Send from it', 'Enter', 'role-sendOn'],
        ['Receive on it', 'Space', 'role-receiveOn'],
      ] as const) {
        await page.keyboard.press('Tab');
        await expect(detail.getByRole('button', { name: button }).first()).toBeFocused();
        if (key === null) continue;
        await page.keyboard.press(key);
        await expect(page.getByTestId(role)).toContainText('render-1');
      }
      await page.getByTestId('role-receiveOn').getByRole('button', { name: 'Take render-1 out' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByTestId('role-receiveOn')).toContainText('this machine');
      // By the mouse.
      await detail.getByRole('button', { name: 'Receive on it' }).click();
      await expect(page.getByTestId('role-receiveOn')).toContainText('render-1');
      await detail.getByRole('button', { name: 'Receive on it' }).click();
      await expect(page.getByTestId('role-receiveOn')).toContainText('this machine');
      await machine(page, 'render-1').dragTo(page.getByTestId('role-receiveOn'));
      await expect(page.getByTestId('role-receiveOn')).toContainText('render-1');
      await page.getByTestId('role-receiveOn').getByRole('button', { name: 'Take render-1 out' }).click();
      await expect(page.getByTestId('role-receiveOn')).toContainText('this machine');
      // The form of a preflight, filled in; nothing is started.
      const on = page.locator('[data-field="on"]');
      for (const [button, checked] of [
        [detail.getByRole('button', { name: 'Preflight…' }), 'render-1'],
        [page.getByRole('button', { name: 'Preflight of all shown…' }), 'render-1'],
        [page.getByTestId('own-preflight').getByRole('button', { name: 'Preflight…' }), 'this machine'],
      ] as const) {
        await button.click();
        await expect(on.getByRole('button', { name: checked, pressed: true })).toBeVisible();
        await page.keyboard.press('5');
      }
      await page.getByRole('button', { name: 'Go to Streams' }).click();
      await expect(
        page.getByTestId('sendOn').getByRole('button', { name: 'render-1', pressed: true }),
      ).toBeVisible();
      await page.keyboard.press('5');
      agent.end();
      await expect(machine(page, 'render-1')).toHaveAttribute('data-state', 'ended');
      await expectAccessible(page);
      await page.getByRole('radio', { name: 'Connected' }).check({ force: true });
      await expect(page.getByText('No machine matches.')).toBeVisible();
      await page.getByRole('radio', { name: 'All' }).check({ force: true });
      await page.getByRole('searchbox').fill('RENDER');
      await expect(machine(page, 'render-1')).toBeVisible();
    } finally {
      agent.stop();
    }
  } finally {
    server.stop();
  }
  await expect(state).toHaveAttribute('data-server', 'lost');
  await expectAllUsed(page, [/^(bar|Streams|Experiments): /]);
});
