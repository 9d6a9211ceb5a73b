import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { type Console, expect, launchConsole, test, typeFormat } from './app';

/** Pictures of the screens, for people to look at: test-results/e2e/screens. */

const folder = fileURLToPath(new URL('../test-results/e2e/screens', import.meta.url));
const sizes = [
  { width: 1280, height: 720 },
  { width: 2560, height: 1440 },
];

async function setSize({ app }: Console, size: { width: number; height: number }): Promise<void> {
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setPosition(0, 0);
    window?.setContentSize(width, height);
  }, size);
}

async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** One picture for each size and theme. */
async function shootAll(whiteline: Console, name: string): Promise<void> {
  for (const size of sizes) {
    await setSize(whiteline, size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await whiteline.page.emulateMedia({ colorScheme });
      await whiteline.page.waitForTimeout(400);
      await shoot(whiteline.page, `${name}-${size.width}-${colorScheme}`);
    }
  }
}

test('empty, sheets, live streams, a ramp with a red row', async ({ whiteline }) => {
  const { page, command } = whiteline;
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
  await shootAll(whiteline, 'empty');
  await page.keyboard.press('?');
  await shoot(page, 'shortcuts');
  await page.keyboard.press('Escape');

  await typeFormat(page, '640x360@30');
  for (const count of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Add stream' }).click();
    await expect(page.getByTestId('stream-strip')).toHaveCount(count);
    await page.waitForTimeout(5000);
  }
  await shootAll(whiteline, 'live');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('mode')).toHaveText('Idle');

  const base = {
    source: 'white-line',
    format: '640x360@30',
    pixelFormat: 'uyvy' as const,
    name: 'Whiteline',
  };
  await command({
    name: 'startRamp',
    parameters: {
      ...base,
      maxStreams: 3,
      holdSeconds: 3,
      warmUpSeconds: 1,
      inject: 'miss:20-24; skip:40-41',
      audio: true,
    },
  });
  await expect(page.getByTestId('mode')).toHaveText('Ramp');
  await page.waitForTimeout(3000);
  await shoot(page, 'ramp-running');
  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });
  await shootAll(whiteline, 'ramp-over');
  const details = page.getByTestId('study-table').getByRole('button');
  await details.last().press('Enter');
  await expect(page.getByTestId('row-detail').getByTestId('losses')).toBeVisible();
  await shootAll(whiteline, 'row-detail');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('row-detail')).toHaveCount(0);
});

test('engine crashed', async ({ whiteline }) => {
  const { app, page } = whiteline;
  await app.evaluate(({ app }) => {
    const engine = app.getAppMetrics().find((metric) => metric.name === 'Whiteline engine');
    if (engine) process.kill(engine.pid, 'SIGKILL');
  });
  await expect(page.getByTestId('engine-crashed')).toBeVisible();
  await shootAll(whiteline, 'engine-crashed');
});

test('no NDI', async ({ folder: own }) => {
  const whiteline = await launchConsole(own, { environment: { WHITELINE_NDI_PATH: join(own, 'nowhere') } });
  await expect(whiteline.page.getByTestId('ndi-version')).toHaveText('NDI not found');
  await shootAll(whiteline, 'no-ndi');
  await whiteline.app.close();
});

test('the source of a stream, in its own blocks and as received', async ({ whiteline }) => {
  const { page, command } = whiteline;
  const play = async (source: string) => {
    const parameters = { source, format: '1280x720@30', pixelFormat: 'uyvy' } as const;
    await command({ name: 'addStream', parameters });
    await expect(page.getByTestId('stream-state')).toHaveText('Receiving');
    await page.keyboard.press('v');
    await page.waitForTimeout(1500);
  };
  await play(fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url)));
  await shootAll(whiteline, 'source-blocks');
  await command({ name: 'stop' });
  await shoot(page, 'source-ended');
  await page.keyboard.press('Escape');
  await play('white-line');
  await shootAll(whiteline, 'source-as-received');
});
