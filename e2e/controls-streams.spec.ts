import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { type Console, endRun, expect, test, typeFormat } from './app';
import { expectAllUsed, watchControls } from './controls';
import { expectFits } from './layout';

/** Buttons and keys that another test uses, or that look to something outside of this test. */
const elsewhere = [
  // ramp.spec.ts and sessions.spec.ts write each kind; here one of them stands for all.
  /^sheet: (Report|Run|Everything|Rows \(JUnit)/,
  // movie.spec.ts.
  /^sheet: (Choose|Save|Delete)/,
  // Of a ramp that has rows: ramp.spec.ts.
  /^Streams: (Report|Open run)$/,
  // controls-screens.spec.ts, controls-nmos.spec.ts, fleet-screen.spec.ts.
  /^(Experiments|Sessions|Preflight|Fleet|NMOS|Settings|About): /,
  // Of a stream that a busy machine held up.
  /: Dismiss(: Whiteline 0: |: 0 streams: | all 0$)/,
  // Of a verdict whose sentence finds no room: streams.spec.ts.
  'Streams: Full text',
];

/** Presses what opens a window, and gives the window. */
async function windowOf({ app }: Console, press: () => Promise<void>): Promise<Page> {
  const opened = app.waitForEvent('window');
  await press();
  const window = await opened;
  await window.waitForLoadState();
  return window;
}

async function closedBy(window: Page, press: () => Promise<void>): Promise<void> {
  const closed = window.waitForEvent('close');
  // A window may be gone before its key goes up.
  await press().catch(() => undefined);
  await closed;
}

/** Drags over a part of a chart. */
async function drag(page: Page, chart: Locator): Promise<void> {
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not shown');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
}

test('each button and key of the Streams screen and of the bars around it', async ({ whiteline }) => {
  const { app, page } = whiteline;
  const bar = page.getByRole('banner');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = page.getByRole('dialog');
  const strips = page.getByTestId('stream-strip');
  const mode = page.getByTestId('mode');
  await expect(button('Add stream')).toBeEnabled();
  await watchControls(page);

  await test.step('the screens, by key and by button', async () => {
    const rail = page.getByRole('navigation', { name: 'Screens' }).getByRole('button');
    const names = await rail.allInnerTexts();
    expect(names).toHaveLength(8);
    for (const [index, name] of [...names.entries()].reverse()) {
      await page.keyboard.press(String(index + 1));
      await expect(rail.nth(index), name).toHaveAttribute('aria-current', 'page');
    }
    for (const name of [...names, 'Streams']) {
      await rail.getByText(name, { exact: true }).click();
      await expect(rail.filter({ hasText: name })).toHaveAttribute('aria-current', 'page');
    }
  });

  await test.step('empty; the sheet of shortcuts', async () => {
    await expect(page.getByTestId('empty')).toBeVisible();
    await expectAccessible(page);
    await expectFits(page, 'streams-empty');
    await page.keyboard.press('?');
    await expect(sheet).toContainText('Start the ramp');
    await expectAccessible(page);
    await expectFits(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await button('Shortcuts').click();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(sheet).toHaveCount(0);
  });

  await test.step('light and dark; the link to NDI', async () => {
    const isDark = () => app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors);
    const before = await isDark();
    await page.keyboard.press('t');
    await expect.poll(isDark).toBe(!before);
    await page.keyboard.press('t');
    await expect.poll(isDark).toBe(before);
    await app.evaluate(({ shell }) => {
      const links: string[] = [];
      Object.assign(shell, { openExternal: async (link: string) => void links.push(link), links });
    });
    await button('ndi.video').click();
    const links = () => app.evaluate(({ shell }) => (shell as unknown as { links: string[] }).links);
    await expect.poll(links).toEqual(['https://ndi.video']);
  });

  await test.step('the white line opens by key and by button, and closes by its own keys', async () => {
    const first = await windowOf(whiteline, () => page.keyboard.press('f'));
    const ticks = (window: Page) => window.locator('[data-metric=compositorTicksMissed]');
    await expect(ticks(first)).toHaveText(/\d/);
    await expectAccessible(first);
    await closedBy(first, () => first.keyboard.press('f'));
    const second = await windowOf(whiteline, () => bar.getByRole('button', { name: 'White line' }).click());
    await expect(ticks(second)).toHaveText(/\d/);
    await closedBy(second, () => second.keyboard.press('Escape'));
  });

  await test.step('the display window opens and closes by key and by button', async () => {
    const first = await windowOf(whiteline, () => page.keyboard.press('d'));
    await expect(first.getByTestId('picture-notice')).toContainText('No stream to show');
    await closedBy(first, () => page.keyboard.press('d'));
    const second = await windowOf(whiteline, () => bar.getByRole('button', { name: 'Display' }).click());
    await closedBy(second, () => second.getByRole('button', { name: 'Close' }).click());
  });

  await test.step('size and rate by their presets, noise, and sound left out', async () => {
    const format = page.getByRole('textbox', { name: /^Format/ });
    await page.getByText('Noise', { exact: true }).click();
    await page.getByText('1280×720', { exact: true }).click();
    await page.getByText('29.97', { exact: true }).click();
    await expect(format).toHaveValue('1280x720@29.97');
    await page.getByText('White line', { exact: true }).last().click();
    await typeFormat(page, '640x360@30');
    const sound = page.getByRole('checkbox', { name: 'Send sound' });
    await sound.uncheck();
    await sound.blur();
  });

  await test.step('streams by button and by key; the view of their source', async () => {
    await button('Add stream').click();
    await expect(strips).toHaveCount(1);
    await page.keyboard.press('a');
    await expect(strips).toHaveCount(2);
    const view = page.getByTestId('source-view');
    await button('View the source of stream 2').click();
    await expect(view.getByTestId('source-caption')).toContainText('as received');
    await expect(view.getByTestId('source-how')).toContainText('only a Hap movie has compressed blocks');
    await expect(view.getByTestId('source-figures')).toContainText(/Frame [\d,]+/);
    await expect(view.getByRole('img', { name: /Live picture/ })).toBeVisible();
    await expectAccessible(page);
    await page.mouse.move(400, 300);
    await view.getByRole('button', { name: 'Close' }).click();
    await expect(view).toHaveCount(0);
    await page.keyboard.press('v');
    await expect(view).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(view).toHaveCount(0);
    await expect(mode).toHaveText('Live');
  });

  await test.step('a running stream is renamed, by key and by button', async () => {
    await page.getByText('Strips', { exact: true }).click();
    await page.keyboard.press('F2');
    await expect(sheet).toContainText('On the network it stays Whiteline 2');
    await expectAccessible(page);
    await sheet.getByRole('textbox').fill('Whiteline 1');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet.getByRole('alert')).toContainText('Another stream is called Whiteline 1');
    await sheet.getByRole('textbox').fill('Camera 2');
    await page.keyboard.press('Enter');
    await expect(strips.last()).toContainText('Camera 2');
    await expect(strips.last()).toContainText('NDI: Whiteline 2');
    await button('Rename stream 1').click();
    await sheet.getByRole('textbox').fill('Camera 1');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(strips.first()).toContainText('Camera 1');
    await expectFits(page, 'renamed');
    await page.getByText('Auto', { exact: true }).click();
  });

  await test.step('the timeline of a stream, by button and by key', async () => {
    await button('Timeline of stream 2').click();
    const said = page.getByTestId('timeline-said');
    await expect(said).toContainText(/since the warm-up/);
    await expect(page.getByTestId('timeline')).toBeVisible();
    await expectAccessible(page);
    await expectFits(page, 'timeline');
    for (const name of ['Zoom in', 'Zoom out', 'Previous loss', 'Next loss', /^All/])
      await sheet.getByRole('button', { name }).click();
    await sheet.getByText('Whole run').click();
    // With the mouse: the arrows go from loss to loss still.
    await page.keyboard.press('ArrowLeft');
    await expect(sheet.getByRole('radio', { name: 'Newest minute' })).not.toBeChecked();
    await drag(page, page.getByTestId('timeline'));
    for (const key of ['+', '-', '0']) await page.keyboard.press(key);
    await sheet.getByRole('button', { name: 'Next loss' }).focus();
    for (const key of ['ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await page.keyboard.press('l');
    await expect(sheet).toContainText('Timeline of');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(mode).toHaveText('Live');
  });

  await test.step('charts are frozen, zoomed into and let go', async () => {
    const held = page.getByText('Frozen', { exact: true });
    const chart = page.getByTestId('chart-cpu').locator('.u-over');
    await page.keyboard.press('p');
    await expect(held).toBeVisible();
    await page.keyboard.press('p');
    await expect(held).toHaveCount(0);
    await button('Freeze').click();
    await expect(held).toBeVisible();
    await button('Freeze').click();
    await expect(held).toHaveCount(0);
    await drag(page, chart);
    await expect(held).toBeVisible();
    // Under the pointer, one instant in all of them.
    await chart.hover({ position: { x: 30, y: 10 } });
    const cursors = page.locator('.u-cursor-x');
    // Charts are of two widths: how far the widest one's cursor is from where the others' would be in it.
    const apartPx = () =>
      cursors.evaluateAll((lines) => {
        const widths = lines.map(({ parentElement }) => parentElement?.clientWidth ?? Number.NaN);
        const places = lines.map(
          (line, index) => new DOMMatrix(getComputedStyle(line).transform).e / (widths[index] ?? Number.NaN),
        );
        return (Math.max(...places) - Math.min(...places)) * Math.max(...widths);
      });
    // Where no GPU is measured, a line says why in place of its chart.
    const ofGpu = await page.getByTestId('chart-gpu').count();
    await expect(page.getByText(/^GPU not measured: /)).toHaveCount(1 - ofGpu);
    expect(await cursors.count()).toBe(4 + ofGpu);
    await expect.poll(apartPx).toBeLessThan(2);
    await chart.dblclick();
    await expect(held).toHaveCount(0);
    await drag(page, chart);
    await button('Show the newest').click();
    await expect(held).toHaveCount(0);
  });

  await test.step('what stands behind a row', async () => {
    const rows = page.getByTestId('study-table').getByRole('button');
    await expect(strips.first().getByTestId('stream-state')).toHaveText('Receiving');
    await rows.first().focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('row-detail')).toBeVisible();
    await expectAccessible(page);
    await expectFits(page, 'row-detail');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await rows.first().click();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(mode, 'the sheet took the key').toHaveText('Live');
  });

  await test.step('an export, by key and by button', async () => {
    await app.evaluate(({ dialog }) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' });
    });
    await page.keyboard.press('e');
    await expect(sheet).toContainText('Export the newest run');
    await expectAccessible(page);
    await expectFits(page, 'export');
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Export' }).click();
    await sheet.getByRole('button', { name: 'Rows (CSV)' }).click();
    await expect(sheet).toHaveCount(0);
    await expect(page.getByTestId('alert').filter({ hasNotText: /Whiteline \d: / })).toHaveCount(0);
  });

  await test.step('presets, and the moments that are marked; movie.spec.ts looks at what becomes of them', async () => {
    await button('Presets').click();
    await expectFits(page, 'presets');
    await sheet.getByRole('button', { name: 'Choose Light: 720p30' }).click();
    await expect(page.getByRole('textbox', { name: /^Format/ })).toHaveValue('1280x720@30');
    await typeFormat(page, '640x360@30');
    await page.keyboard.press('m');
    await button('Marker').click();
    await page.keyboard.press('n');
    await expectAccessible(page);
    await expectFits(page, 'note');
    await page.keyboard.press('Escape');
    await button('Note').click();
    await sheet.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('streams in each density', async () => {
    const look = page.getByRole('group', { name: 'How the streams are shown' });
    await button('Details').click();
    await expectAccessible(page);
    await expectFits(page, 'streams-details');
    await button('Details').click();
    for (const density of ['Rows', 'Grid', 'Pictures']) {
      await look.getByText(density, { exact: true }).click();
      await expectAccessible(page);
      await expectFits(page, `streams-${density}`);
    }
    await look.getByRole('radio', { name: 'Pictures' }).press('ArrowRight');
    await expect(look.getByRole('radio', { name: 'Auto' })).toBeChecked();
  });

  await test.step('streams are taken away, one by one and all', async () => {
    await expectAccessible(page);
    await expectFits(page, 'streams-live');
    await page.keyboard.press('r');
    await expect(strips).toHaveCount(1);
    await bar.getByRole('button', { name: 'Remove' }).click();
    await expect(strips).toHaveCount(0);
    await button('Add stream').click();
    await expect(strips).toHaveCount(1);
    await button('Remove stream').last().click();
    await expect(strips).toHaveCount(0);
    await expect(page.getByTestId('empty')).toContainText('The live run goes on.');
    await bar.getByRole('button', { name: 'Stop' }).click();
    await expect(mode).toHaveText('Idle');
    await expect(page.getByTestId('empty')).toContainText('to start the ramp');
  });

  await test.step('a first ramp is tried as it is offered', async () => {
    await button('Try it on this machine').click();
    await expect(page.getByTestId('tile-step')).toContainText(/of 2|2 steps/);
    await bar.getByRole('button', { name: 'Stop' }).click();
    await expect(mode).toHaveText('Idle');
  });

  await test.step('a ramp is started and stopped, by button and by key', async () => {
    await bar.getByRole('button', { name: 'Start ramp' }).click();
    await expect(page.getByTestId('ramp-progress')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toContainText('End the run?');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await page.keyboard.press('Escape');
    await sheet.getByRole('button', { name: 'Keep measuring' }).click();
    await expect(mode).toHaveText('Ramp');
    await endRun(page);
    await expect(mode).toHaveText('Idle');
    await page.keyboard.press('Space');
    await expect(mode).toHaveText('Ramp');
    await bar.getByRole('button', { name: 'Stop' }).click();
    await expect(mode).toHaveText('Idle');
  });

  await test.step('what is refused is reported until it is dismissed', async () => {
    await typeFormat(page, '640x360@0');
    await button('Add stream').click();
    const alert = page.getByTestId('alert').filter({ hasText: 'for format but received 0' });
    await expect(alert).toBeVisible();
    await expect(alert).toContainText(/since \d\d:\d\d:\d\d UTC/);
    await expectAccessible(page);
    await expectFits(page, 'alerts');
    await test.step('in a small window the column is a strip, which opens by button and by key', async () => {
      await page.setViewportSize({ width: 1280, height: 720 });
      await expect(alert).toBeHidden();
      await button('Alerts').click();
      await expect(alert).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('w');
      await expect(alert).toBeHidden();
      await page.keyboard.press('w');
      await page.keyboard.press('Escape');
      await expect(alert).toBeHidden();
      await page.setViewportSize({ width: 1600, height: 1000 });
    });
    await alert.getByRole('button', { name: /^Dismiss/ }).click();
    await expect(alert).toHaveCount(0);
  });

  await expectAllUsed(page, elsewhere);
});
