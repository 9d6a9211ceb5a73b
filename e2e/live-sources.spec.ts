import { once } from 'node:events';
import { join } from 'node:path';
import { countLog, readCapturedLog } from '../app/engine/faults/captured-log';
import { readEvents } from '../app/engine/sessions/read-run';
import type { Loss } from '../app/facts/loss';
import { readNamedRun } from '../app/testing/named-rows';
import { buildPlainSender, startPlainSender } from '../app/testing/plain-sender';
import { expectAccessible } from './accessibility';
import { endRun, expect, newestRun, test } from './app';
import { readRows } from './run-files';
import { sendBeside } from './sender';

/** The frames of each gap. A frame next to a gap that is sent late splits it, for its time is that of a frame in the gap. */
function gapsOf(losses: Pick<Loss, 'firstFrame' | 'frames'>[]): number[] {
  const gaps: number[] = [];
  let nextFrame = Number.NEGATIVE_INFINITY;
  for (const { firstFrame, frames } of losses) {
    if (firstFrame - nextFrame > 10) gaps.push(0);
    gaps[gaps.length - 1] = (gaps.at(-1) ?? 0) + frames;
    nextFrame = firstFrame + frames;
  }
  return gaps;
}

test('a sender on the network is chosen, followed frame by frame, and reported when it is lost', async ({
  whiteline,
}) => {
  const { page, runsFolder, captureLogs } = whiteline;
  const name = `elsewhere-${process.pid}`;
  const sender = await sendBeside(name);
  try {
    const add = page.getByRole('button', { name: 'Add stream' });
    const source = page.getByTestId('live-source').filter({ hasText: `${name} 1` });
    await test.step('it is found and chosen', async () => {
      await page.getByRole('radio', { name: 'Live NDI' }).check({ force: true });
      await expect(page.getByRole('button', { name: 'Start ramp' })).toBeDisabled();
      await expect(source).toBeVisible();
      await expect(add).toBeDisabled();
      await source.getByRole('radio').check({ force: true });
      await expectAccessible(page);
    });

    const strip = page.getByTestId('stream-strip');
    await test.step('its stream is followed, by Space on what is chosen', async () => {
      await source.getByRole('radio').press('Space');
      await expect(strip.getByTestId('stream-state')).toHaveText('Receiving');
      await expect(strip.getByTestId('stream-method')).toContainText('Live, by frame code');
      await expect(source).toHaveAttribute('data-followed', 'true');
      await expect(source).toContainText('640×360 @ 30 · Whiteline · followed');
      await expect(add).toBeDisabled();
      const preview = strip.getByTestId('preview');
      const shown = async () => Number(await preview.getAttribute('data-frame-number'));
      await expect.poll(shown).toBeGreaterThan(0);
      const newest = page.getByTestId('study-table').locator('tbody tr').last();
      await expect(newest.locator('th').first()).toHaveText('1');
      await page.keyboard.press('v');
      await expect(page.getByTestId('source-how')).toContainText('this console does not send it');
      await expect(page.getByTestId('source-figures')).toContainText('of the stream');
      await page.keyboard.press('Escape');
    });

    await test.step('it is stopped before its sender is', async () => {
      await endRun(page);
      await expect(page.getByTestId('mode')).toHaveText('Idle');
      sender.kill('SIGTERM');
      await once(sender, 'exit');
      await expect(source).toHaveAttribute('data-listed', 'false');
      await expect(page.getByTestId('live-hint')).toContainText('no longer announced');
      await expect(page.getByTestId('gone-sources')).toContainText(`${name} 1`);
      await expectAccessible(page);
      await page.getByRole('button', { name: new RegExp(`^Forget .*${name} 1`) }).click();
      await expect(source).toHaveCount(0);
    });
  } finally {
    sender.kill('SIGKILL');
  }

  const folder = newestRun(runsFolder);
  expect(readNamedRun(folder)).toMatchObject({
    experiment: 'live',
    environment: { topology: 'receiver only' },
  });
  const reported = readEvents(folder).find(({ kind }) => kind === 'stream-connected');
  expect(reported?.text).toContain('with the sender’s records');
  const [baseline, row] = readRows(folder);
  expect(baseline?.streams).toBe(0);
  expect(row?.sender.cpuMaxPercent).toEqual(expect.any(Number));
  const [stream] = row?.perStream ?? [];
  if (!stream) throw new Error('the run has no row with a stream');
  expect(stream.name).toContain(`(${name} 1)`);
  expect(stream).toMatchObject({ method: 'frame-code', conserved: true });
  const log = readCapturedLog(join(captureLogs, `captured-${stream.streamId}.log`));
  const count = countLog(log, stream.firstFrame ?? 0, stream.lastFrame ?? -1);
  expect(count.seen.size).toBe(stream.framesReceived);
  expect([...stream.droppedFrames, ...stream.missedFrames].sort((a, b) => a - b)).toEqual(count.lacking);
  expect(count.seen.size).toBeGreaterThan(20);
});

test('a sender is followed at its address, and what is no address is refused at once', async ({
  whiteline,
}) => {
  const { page } = whiteline;
  const name = `addressed-${process.pid}`;
  const sender = await sendBeside(name);
  try {
    await page.getByRole('radio', { name: 'Live NDI' }).check({ force: true });
    const listed = page.getByTestId('live-source').filter({ hasText: `${name} 1` });
    await expect(listed).toBeVisible();
    const [address = ''] = /127\.0\.0\.1:\d+/.exec(await listed.innerText()) ?? [];
    const field = page.getByRole('textbox', { name: 'Sender not listed? Its address' });
    for (const [typed, problem] of [
      ['300.1.1.1', 'an IPv4 address of four numbers from 0 to 255'],
      ['127.0.0.1:0', 'a port from 1 to 65535'],
      ['', 'the name or address of a host'],
    ] as const) {
      await field.fill(typed);
      await page.getByRole('button', { name: 'Look there' }).click();
      await expect(page.getByTestId('field-problem')).toContainText(problem);
    }
    await expectAccessible(page);
    const typed = page.getByTestId('live-source').filter({ hasText: 'typed by you' });
    // Discovery has its name.
    await field.fill(address);
    await field.press('Enter');
    await expect(listed.getByRole('radio')).toBeChecked();
    await expect(typed).toHaveCount(0);
    const unlisted = address.replace('127.0.0.1', 'localhost');
    await field.fill(unlisted);
    await field.press('Enter');
    await expect(typed).toContainText(unlisted);
    await page.keyboard.press('a');
    const strip = page.getByTestId('stream-strip');
    await expect(strip.getByTestId('stream-state')).toHaveText('Receiving');
    await expect(strip).toContainText(unlisted);
    await expect(page.getByTestId('clean-time')).toContainText('longest');
    await endRun(page);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await field.fill('127.0.0.1');
    await field.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: 'Whiteline asks 127.0.0.1' })).toBeVisible();
  } finally {
    sender.kill('SIGKILL');
  }
});

test(
  'a sender without our frame code is followed by its timestamps, and its gaps are counted',
  { tag: '@machine' },
  async ({ whiteline }, testInfo) => {
    const { page, runsFolder } = whiteline;
    const name = `plain-${process.pid}`;
    // Five frames of each 60 are left out, for as long as the test may take.
    const leftOut = Array.from({ length: 60 }, (_, index) => `${60 * index + 30}-${60 * index + 34}`).join(
      ',',
    );
    const program = buildPlainSender(testInfo.outputPath('.'));
    const flags = ['--declared', '30/1', '--real', '30/1', '--leave-out', leftOut];
    const sender = await startPlainSender(program, name, flags);
    try {
      await page.getByRole('radio', { name: 'Live NDI' }).check({ force: true });
      const source = page.getByTestId('live-source').filter({ hasText: name });
      await source.getByRole('radio').check({ force: true });
      await page.keyboard.press('a');
      const strip = page.getByTestId('stream-strip');
      await expect(strip.getByTestId('stream-state')).toHaveText('Receiving');
      await expect(strip.getByTestId('stream-method')).toContainText('Live, by timestamps');
      const missing = async () => Number(await strip.locator('[data-metric="framesMissing"]').textContent());
      // The strip counts from the first picture on, the row from the warm-up on: up to two gaps later.
      await expect.poll(missing, { timeout: 25_000 }).toBeGreaterThan(20);
      await endRun(page);
      await expect(page.getByTestId('mode')).toHaveText('Idle');
    } finally {
      sender.kill('SIGKILL');
    }
    const [, row] = readRows(newestRun(runsFolder));
    const [stream] = row?.perStream ?? [];
    const losses = stream?.losses ?? [];
    const frames = losses.map((loss) => loss.frames);
    expect(stream).toMatchObject({
      ...{ method: 'timestamps', framesSubmitted: null, framesSenderMissed: null, framesDropped: null },
      ...{ framesDuplicated: 0, framesReordered: 0 },
      framesMissing: frames.reduce((sum, count) => sum + count, 0),
    });
    const gaps = gapsOf(losses);
    // The row may begin or end within a gap.
    expect(gaps.length).toBeGreaterThanOrEqual(3);
    expect(new Set(gaps.slice(1, -1))).toEqual(new Set([5]));
    for (const count of gaps) expect([1, 2, 3, 4, 5]).toContain(count);
    expect(new Set(losses.map(({ stage }) => stage))).toEqual(new Set(['missing']));
    expect(stream?.notMeasured.framesSenderMissed).toBeTruthy();
  },
);

test('the last picture of a sender that is gone is shown, also where it came out of sight', {
  tag: '@machine',
}, async ({ whiteline }) => {
  const { page } = whiteline;
  const name = `gone-${process.pid}`;
  const sender = await sendBeside(name);
  const strip = page.getByTestId('stream-strip');
  const shown = async () => Number(await strip.getByTestId('preview').getAttribute('data-frame-number'));
  try {
    await page.getByRole('radio', { name: 'Live NDI' }).check({ force: true });
    const source = page.getByTestId('live-source').filter({ hasText: `${name} 1` });
    await source.getByRole('radio').check({ force: true });
    await page.keyboard.press('a');
    await expect.poll(shown, { timeout: 15_000 }).toBeGreaterThan(0);
    const before = await shown();
    await page.keyboard.press('8');
    await page.waitForTimeout(5000);
    sender.kill('SIGKILL');
    await page.waitForTimeout(2000);
    await page.keyboard.press('1');
    // 30 pictures a second, of which one a second is made small while none is shown.
    await expect.poll(shown).toBeGreaterThan(before + 90);
    await page.keyboard.press('v');
    await expect(page.getByTestId('source-figures')).toContainText('of the stream');
    await expect(page.getByTestId('source-trouble')).toContainText('discovery no longer lists it', {
      timeout: 15_000,
    });
  } finally {
    sender.kill('SIGKILL');
  }
});
