import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readNamedRun } from '../app/testing/named-rows';
import { expectAccessible } from './accessibility';
import { type Console, expect, launchConsole, newestRun, test } from './app';
import { registryBeside } from './nmos-registry';

/** What the system's dialog for a file or a folder is answered with. */
async function answerDialog({ app }: Console, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, path);
}

async function show(page: Page, screen: string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: screen }).click();
}

async function restartEngine(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Restart engine' }).click();
  await expect(page.getByTestId('restart-notice')).toHaveCount(0);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
}

/** By keys alone, to its end. */
async function readLicence(page: Page): Promise<void> {
  const text = page.getByTestId('notice-text');
  await expect(text).toContainText('NDI® is a registered trademark');
  await page.getByRole('radio', { name: 'Notices' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(text).toContainText('TERMS AND CONDITIONS FOR USE');
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
  await page.keyboard.press('End');
  const left = () =>
    text.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await expect.poll(left).toBeLessThan(2);
  await expectAccessible(page);
}

/** Of NMOS, at this registry. */
async function becomeNode(page: Page, registry: string): Promise<void> {
  await page.getByTestId('setting-nmosNode').getByText('On', { exact: true }).click();
  await expect(page.getByTestId('nmos-node-now')).toHaveText('Now: off');
  await expect(page.getByTestId('nmos-node-restart')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Registry' });
  await field.fill('registry:8010');
  await expect(page.getByTestId('field-problem')).toContainText('received registry:8010');
  await field.fill(registry);
  await field.press('Enter');
  await page.getByRole('textbox', { name: 'Receivers' }).fill('3');
  await page.keyboard.press('Tab');
  await expectAccessible(page);
}

/** Set by keys and by hand; what the largest leaves no room for scrolls. */
async function expectScale(whiteline: Console): Promise<void> {
  const { page } = whiteline;
  const rootPx = () =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const usualPx = await rootPx();
  await page.keyboard.press('Control+Minus');
  await expect.poll(rootPx).toBeCloseTo(usualPx * 0.9);
  await page.keyboard.press('Control+0');
  await expect.poll(rootPx).toBeCloseTo(usualPx);
  await page.getByText('150 %', { exact: true }).click();
  await expect.poll(rootPx).toBeCloseTo(usualPx * 1.5);
  await expectAccessible(page);
  await page.keyboard.press('Control+Equal');
  await expect.poll(rootPx).toBeCloseTo(usualPx * 1.75);
  await page.keyboard.press('Control+0');
}

test('settings are kept, reach the engine and judge its runs; a broken file and an unwritable folder are said', async ({
  folder,
}) => {
  const environment = { WHITELINE_RUNS: '' };
  const first = await launchConsole(folder, { environment });
  const { page, app } = first;
  await show(page, 'Settings');
  await expectAccessible(page);

  await answerDialog(first, join(folder, 'no-libndi.so'));
  await page.getByRole('button', { name: 'Runtime: Choose…' }).click();
  await expect(page.getByTestId('setting-ndiPath')).toContainText('no-libndi.so');
  await restartEngine(page);
  await expect(page.getByTestId('ndi-in-use')).toContainText('NDI was not found');

  const runsFolder = join(folder, 'own-runs');
  await answerDialog(first, runsFolder);
  await page.getByRole('button', { name: 'Folder of the runs: Choose…' }).click();
  await expect(page.getByTestId('setting-runsFolder')).toContainText(runsFolder);
  await page.getByRole('button', { name: 'Runtime: Use the usual one' }).click();
  await page.getByText('Flawless', { exact: true }).click();
  await page.getByText('MB/s', { exact: true }).click();
  await expect(page.getByRole('contentinfo')).toContainText(/\d MB\/s/);
  await expectScale(first);
  const addresses = page.getByRole('textbox', { name: 'Extra addresses' });
  await addresses.fill('192.0.2.7, --help');
  await expect(page.getByTestId('field-problem')).toContainText('received --help');
  await addresses.fill('192.0.2.7');
  await addresses.press('Enter');
  await expect(page.getByTestId('setting-searchHosts').getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'NDI groups' }).fill('public, stage');
  await page.keyboard.press('Enter');
  const card = page.getByRole('combobox', { name: 'Network card' });
  const [, present = ''] = await card
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  await card.selectOption(present ?? '');
  await page.getByRole('textbox', { name: 'Discovery servers' }).fill('127.0.0.1:59590');
  await page.keyboard.press('Tab');
  const { registry, origin } = await registryBeside();
  await becomeNode(page, origin);
  await restartEngine(page);
  await expect(page.getByTestId('ndi-in-use')).toContainText('In use: NDI');
  const receivers = async () => (await (await fetch(`${origin}/x-nmos/query/v1.3/receivers`)).json()).length;
  await expect.poll(receivers).toBe(3);
  await expect(page.getByTestId('nmos-node-now')).toContainText(`at ${origin} as v1.3`);
  await expect(page.getByTestId('nmos-node-restart')).toHaveCount(0);

  await show(page, 'Preflight');
  const lines = page.getByTestId('preflight-line');
  await expect(lines.first()).toContainText('not checked yet');
  await page.getByRole('textbox', { name: 'Listening time' }).fill('0.5');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByTestId('preflight-progress')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
  const server = page.locator('[data-check="discovery-server"]');
  await expect(server).toHaveAttribute('data-state', 'problem');
  await expect(server).toContainText('127.0.0.1:59590');
  expect(await lines.count()).toBe(await page.locator('[data-testid=preflight-line][data-state]').count());
  await expectAccessible(page);
  expect(readNamedRun(newestRun(runsFolder))).toMatchObject({
    experiment: 'preflight',
    state: 'finished',
    thresholdProfile: 'flawless',
  });

  await show(page, 'About');
  await readLicence(page);
  await app.close();
  // The console left the registry by itself.
  expect(await receivers()).toBe(0);
  registry.kill();

  const file = join(folder, 'user-data', 'settings.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    ...{ searchHosts: ['192.0.2.7'], runsFolder, ndiGroups: ['public', 'stage'] },
    networkInterface: present || null,
  });
  const ndi = JSON.parse(readFileSync(join(folder, 'user-data', 'ndi', 'ndi-config.v1.json'), 'utf8'));
  expect(ndi.ndi.groups).toEqual({ send: 'public,stage', recv: 'public,stage' });
  writeFileSync(file, '{"theme": "pink"}');
  const second = await launchConsole(folder, { runsFolder: join(`${file}.broken`, 'runs') });
  await expect(second.page.getByTestId('alert')).toContainText(`${file}.broken`);
  const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' } as const;
  expect(await second.command({ name: 'addStream', parameters: source })).toMatchObject({
    ...{ code: 'OUTPUT_UNWRITABLE', field: 'out' },
  });
  await second.app.close();
});
