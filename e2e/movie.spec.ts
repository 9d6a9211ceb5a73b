import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNamedRun } from '../app/testing/named-rows';
import { expectAccessible } from './accessibility';
import { endRun, expect, launchConsole, newestRun, test, typeFormat } from './app';
import { dropOnto } from './drop';
import { readRows } from './run-files';

const clip = fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url));

test('a movie and a clip of the battery are played and followed; presets; marks; a run that is set up again', async ({
  folder,
}) => {
  const content = join(folder, 'content');
  mkdirSync(content);
  copyFileSync(clip, join(content, 'flares-640x360-30-1s-hap-4.mov'));
  const { app, page, runsFolder } = await launchConsole(folder, {
    environment: { WHITELINE_CONTENT: content },
  });
  const dialog = page.getByRole('dialog');

  await test.step('a Hap movie is chosen', async () => {
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
    }, clip);
    await page.getByText('Movie', { exact: true }).click();
    await expect(page.getByTestId('movie')).toHaveText('bars-640x360-30-hap.mov');
  });

  await test.step('a broken movie is dropped and refused, and then a good one', async () => {
    const movie = page.getByTestId('movie');
    const broken = join(folder, 'broken.mov');
    writeFileSync(broken, 'no movie');
    await dropOnto(page, broken);
    await expect(movie).toHaveText('broken.mov');
    const problem = page.getByRole('region', { name: 'Source' }).getByRole('alert');
    await expect(problem).toContainText(broken);
    await page.keyboard.press('a');
    const alert = page.getByTestId('alert');
    await expect(alert).toContainText(broken);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await dropOnto(page, clip);
    await expect(movie).toHaveText('bars-640x360-30-hap.mov');
    await expect(problem).toHaveCount(0);
    await expect(alert, 'what was said of the broken one').toHaveCount(0);
  });

  await test.step('a ramp of the movie by other thresholds than those of the settings', async () => {
    await page.getByRole('combobox', { name: 'Thresholds' }).selectOption('Flawless');
    await page.getByLabel(/^Hold/).fill('7');
    await page.getByLabel(/^Hold/).press('Escape');
    await page.keyboard.press('Space');
    await expect(page.getByTestId('ramp-progress')).toBeVisible();
    await endRun(page);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    const { thresholdProfile, thresholds, parameters } = readNamedRun(newestRun(runsFolder));
    expect([thresholdProfile, thresholds.acceptableLostFrames]).toEqual(['flawless', 0]);
    expect(parameters.source).toBe(clip);
  });

  await test.step('a preset is saved, chosen and deleted', async () => {
    await page.getByText('Noise', { exact: true }).click();
    await page.getByRole('button', { name: 'Presets' }).click();
    await dialog.getByRole('textbox').fill('Rack 4');
    await dialog.getByRole('textbox').press('Enter');
    await expect(page.getByTestId('own-presets')).toContainText('Noise, 1280×720@60');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Choose The study' }).click();
    await expect(page.getByRole('textbox', { name: /^Format/ })).toHaveValue('3840x2160@60');
    await expect(page.getByRole('radio', { name: 'White line' })).toBeChecked();
    await page.getByRole('button', { name: 'Presets' }).click();
    // One of the same name stays until the second yes.
    await dialog.getByRole('textbox').fill('Rack 4');
    await dialog.getByRole('textbox').press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('You have a preset Rack 4 already');
    await expect(page.getByTestId('own-presets')).toContainText('Noise, 1280×720@60');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await expect(page.getByTestId('own-presets')).toContainText('White line, 3840×2160@60');
    await expect(page.getByTestId('own-presets').getByRole('listitem')).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Choose Worst for a codec' }).click();
    await page.getByRole('button', { name: 'Presets' }).click();
    await dialog.getByRole('textbox').fill('Rack 4');
    await dialog.getByRole('textbox').press('Enter');
    await dialog.getByRole('textbox').press('Enter');
    await expect(page.getByTestId('own-presets')).toContainText('Noise, 1920×1080@60');
    await dialog.getByRole('button', { name: 'Choose The study' }).click();
    await page.getByRole('button', { name: 'Presets' }).click();
    await dialog.getByRole('button', { name: 'Choose Rack 4' }).click();
    await expect(page.getByRole('radio', { name: 'Noise' })).toBeChecked();
    await page.getByRole('button', { name: 'Presets' }).click();
    await dialog.getByRole('button', { name: 'Delete Rack 4' }).click();
    await expect(page.getByTestId('own-presets').getByRole('listitem')).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('a clip is made in the format that is set; one that was there is played', async () => {
    await typeFormat(page, '320x180@5');
    await page.getByText('Test clip', { exact: true }).click();
    const clips = page.getByTestId('battery').getByRole('listitem');
    await expect(clips).toHaveCount(10);
    await expect(dialog).toContainText('whiteline content make --size 320x180 --rate 5');
    await expectAccessible(page);
    await clips.getByRole('button', { name: 'Make black in 320×180@5' }).click();
    await expect(clips.getByRole('button', { name: 'black, 320×180@5, 10 s' })).toBeVisible();
    await clips.getByRole('button', { name: 'flares, 640×360@30, 1 s' }).click();
    await expect(page.getByTestId('movie')).toHaveText('flares, 640×360@30, 1 s');
    await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
    await page.keyboard.press('a');
    await expect(page.getByTestId('stream-state')).toContainText('Receiving');
    await expect(page.getByTestId('stream-strip')).toContainText('640×360 @ 30');
    // Of the row: its strip counts from the end of the warm-up on, and so perhaps more.
    const newest = page.getByTestId('study-table').locator('tbody tr').last();
    await expect(newest.locator('th').first()).toHaveText('1');
    const received = newest.locator('[data-metric="framesReceived"]');
    await expect
      .poll(async () => Number((await received.innerText()).replace(/\D/g, '')))
      .toBeGreaterThan(60);
  });

  await test.step('a moment is marked, and a note is left', async () => {
    await page.keyboard.press('m');
    await expect(page.getByRole('status').filter({ hasText: 'Marker set' })).toBeVisible();
    await page.getByRole('button', { name: 'Marker' }).click();
    await page.keyboard.press('n');
    await dialog.getByRole('textbox').press('Control+Enter');
    await expect(dialog.getByRole('alert')).toContainText('for text but received nothing');
    await dialog.getByRole('textbox').fill('The cable was pulled');
    await dialog.getByRole('textbox').press('Control+Enter');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    const { notes = [], parameters } = readNamedRun(newestRun(runsFolder));
    expect(notes.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'marker: Marker 1',
      'marker: Marker 2',
      'note: The cable was pulled',
    ]);
    expect(parameters.source).toBe(join(content, 'flares-640x360-30-1s-hap-4.mov'));
    // The clip is one second long: a row of more than 60 frames shows that it loops.
    const row = readRows(newestRun(runsFolder)).find(({ streams }) => streams === 1);
    expect(row?.framesReceived).toBeGreaterThan(60);
    expect(row?.conserved).toBe(true);
  });

  await test.step('its form is filled in again from the run', async () => {
    await page.keyboard.press('3');
    await page.locator('[data-run$="stream-load"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Run again' }).click();
    const field = (name: string) => page.locator(`[data-field="${name}"]`).getByRole('textbox');
    await expect(field('holdSeconds')).toHaveValue('7');
    await expect(field('source')).toHaveValue(clip);
    await expect(page.getByRole('combobox', { name: 'Thresholds' })).toHaveValue('flawless');
  });
  await app.close();
});
