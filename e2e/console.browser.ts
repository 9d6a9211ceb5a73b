import { on, once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WebSocket } from 'ws';
import { encodeFrame } from '../app/protocol/socket-frame';
import { expectAccessible } from './accessibility';
import { endRun, newestRun, typeFormat } from './app';
import { readRows } from './run-files';
import { endServer, expect, type Served, serve, test } from './served';

/** The console in a current Chromium, with the engine of `whiteline serve`. */

test('a stream, a ramp and its report in a browser, and a reload in the middle', async ({ page, served }) => {
  await page.goto(served.address);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  const strip = page.getByTestId('stream-strip');
  await expect(strip.getByTestId('stream-state')).toContainText('Receiving');

  // Pixels come as binary frames, and the white line moves in them.
  const preview = page.getByTestId('preview');
  const shown = async () => Number(await preview.getAttribute('data-frame-number'));
  await expect.poll(shown).toBeGreaterThan(0);
  const before = await shown();
  await expect.poll(shown).toBeGreaterThan(before + 30);
  const brightest = await preview.evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    return Math.max(...pixels.filter((_, index) => index % 4 === 0));
  });
  expect(brightest).toBeGreaterThan(200);

  await page.reload();
  await expect(strip.getByTestId('stream-state')).toContainText('Receiving');
  await expect.poll(shown).toBeGreaterThan(before);
  await endRun(page);
  await expect(page.getByTestId('mode')).toHaveText('Idle');

  await typeFormat(page, '640x360@30');
  await page.getByRole('textbox', { name: 'Streams' }).fill('1');
  await page.getByLabel(/^Hold/).fill('1.5');
  await page.getByLabel(/^Warm-up/).fill('0.5');
  await page.getByLabel(/^Warm-up/).press('Escape');
  await page.keyboard.press('Space');
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  await expect(page.getByTestId('mode')).toHaveText('Idle');
  const rows = readRows(newestRun(served.runsFolder));
  const lines = page.getByTestId('study-table').locator('tbody tr');
  await expect(lines).toHaveCount(rows.length);
  for (const [index, row] of rows.entries()) {
    const cell = lines.nth(index).locator('[data-metric="framesReceived"]');
    if (row.framesReceived !== null) await expect(cell).toHaveText(String(row.framesReceived));
  }
  await expect(page.getByTestId('verdict-tile')).toContainText(/PASS|WARN|FAIL|INVALID/);

  await page.keyboard.press('e');
  const downloaded = page.waitForEvent('download');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Report \(HTML\)/ })
    .click();
  const download = await downloaded;
  const written = page.getByTestId('alert').filter({ hasText: served.exportFolder });
  await expect(written).toBeVisible();
  const [report = ''] = readdirSync(served.exportFolder);
  expect(report).toMatch(/^whiteline-.+\.html$/);
  const text = readFileSync(join(served.exportFolder, report), 'utf8');
  expect(text).toContain('whiteline-run');
  expect(download.suggestedFilename()).toBe(report);
  expect(readFileSync(await download.path(), 'utf8')).toBe(text);
  // In a tab it is a page of its own: nothing leads from it to the console.
  const opened = page.waitForEvent('popup');
  await written.getByRole('button', { name: 'Open', exact: true }).click();
  const tab = await opened;
  await expect(tab.getByRole('heading', { name: 'Stream load' }).first()).toBeVisible();
  expect(await tab.evaluate(() => [window.opener, self.origin])).toEqual([null, 'null']);
  await tab.close();

  // The archive of recorded runs is a process of its own here too.
  await page.getByRole('navigation').getByRole('button', { name: 'Sessions' }).click();
  await expect(page.getByRole('grid', { name: 'History of runs' }).locator('tbody tr')).toHaveCount(2);
  await expectAccessible(page);
});

test('what needs Whiteline’s own window is reported, and a server that ends too', async ({
  page,
  served,
}) => {
  await page.goto(served.address);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  await page.keyboard.press('f');
  await expect(page.getByTestId('alert')).toContainText('A browser cannot open full-screen windows');
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByTestId('setting-thresholds')).toContainText('whiteline serve --thresholds');
  await expect(page.getByTestId('ndi-in-use')).toContainText(/NDI \d/);
  await expectAccessible(page);
  await page.getByRole('navigation').getByRole('button', { name: 'About' }).click();
  await expect(page.getByTestId('notice-text')).toContainText('registered trademark');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  await expect(page.getByRole('definition').first()).toHaveText(version);
  await expectAccessible(page);

  page.once('dialog', (dialog) => void dialog.accept(' /media/clip.mov '));
  await page.getByRole('navigation').getByRole('button', { name: 'Streams' }).click();
  await page.getByText('Movie', { exact: true }).click();
  await expect(page.getByTestId('movie')).toHaveText('clip.mov');

  served.server.kill('SIGTERM');
  await once(served.server, 'exit');
  await expect(page.getByTestId('engine-state')).toHaveText('Engine stopped');
  await expect(page.getByTestId('engine-crashed')).toContainText('Start whiteline serve');
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(page.getByTestId('engine-crashed')).toContainText('Start whiteline serve');
});

test('settings that cannot be read are an alert; what goes with the focus on it leaves it to what stays', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-spoilt-'));
  const settings = join(folder, 'config', 'whiteline', 'settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, '{{{');
  const served = await serve(folder, { XDG_CONFIG_HOME: join(folder, 'config') });
  try {
    await page.goto(served.address);
    await expect(page.getByTestId('alert')).toContainText(`${settings} cannot be read`);
    await typeFormat(page, '640x360@30');
    for (const streams of [1, 2]) {
      await page.keyboard.press('a');
      await expect(page.getByTestId('stream-strip')).toHaveCount(streams);
    }
    const remove = (stream: number) => page.getByRole('button', { name: `Remove stream ${stream}` });
    await remove(1).focus();
    await page.keyboard.press('Enter');
    await expect(remove(1)).toHaveCount(0);
    await expect(remove(2)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(remove(2)).toHaveCount(0);
    await expect(page.locator('main :focus')).toHaveCount(1);
    await page.keyboard.press('w');
    await page.getByRole('button', { name: /^Dismiss/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('alert')).toHaveCount(0);
    await expect(page.locator('main :focus')).toHaveCount(1);
  } finally {
    await endServer(served);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('no one comes in without the token, or from another page', async ({ page, served }) => {
  const { host, token } = served;
  const origin = `http://${host}`;
  const own = { path: '/engine', protocols: ['whiteline', token], headers: { origin, host } };
  expect(await knock(served, own)).toBe('open');
  const refused: [Partial<typeof own> & { headers?: Record<string, string> }, number][] = [
    [{ protocols: ['whiteline', '0'.repeat(64)] }, 401],
    [{ protocols: ['whiteline', token.slice(1)] }, 401],
    [{ protocols: ['whiteline'] }, 401],
    [{ protocols: [token] }, 401],
    [{ protocols: [] }, 401],
    [{ headers: { origin: 'http://example.org', host } }, 403],
    [{ headers: { origin: 'http://127.0.0.1', host } }, 403],
    [{ headers: { origin: 'null', host } }, 403],
    [{ headers: { origin, host: 'example.org' } }, 403],
    [{ path: '/shell/../secret' }, 404],
  ];
  for (const [difference, status] of refused)
    expect(await knock(served, { ...own, ...difference }), JSON.stringify(difference)).toBe(status);

  expect(await statusOf(host, '/', host)).toBe(200);
  expect(await statusOf(host, '/', 'example.org')).toBe(421);
  for (const path of ['/../../package.json', '/%2e%2e/app/cli.cjs', '//etc/passwd', '/index.html', '/assets'])
    expect(await statusOf(host, path, host), path).toBe(404);

  // What a script of ours may not do either: a path of its own, or more than a command.
  const socket = new WebSocket(`ws://${host}/engine`, own.protocols, { headers: own.headers });
  // From the first on: several messages may come in one piece.
  const messages = on(socket, 'message');
  await once(socket, 'open');
  const answer = async (message: string) => {
    socket.send(message);
    for (;;) {
      const { value } = await messages.next();
      const reply = JSON.parse(String(value[0]));
      if (reply.type === 'reply') return reply.problem?.code;
    }
  };
  const command = { name: 'export', kind: 'json', path: '/tmp/x', grant: '0'.repeat(64) };
  expect(await answer('no JSON')).toBe('BAD_INPUT');
  expect(await answer(String(encodeFrame({ type: 'request', requestId: 1, command })))).toMatch(
    /BAD_INPUT|NOT_FOUND/,
  );
  socket.send('x'.repeat(1_500_000));
  const [code] = await once(socket, 'close');
  expect(code, 'too large a message ends the socket').toBe(1009);

  // An address of an earlier start.
  await page.goto(`${origin}/#token=${'0'.repeat(64)}`);
  const refusal = page.getByTestId('refused');
  await expect(refusal).toContainText('the whole address that whiteline serve printed');
  await expect(page.getByText('Engine')).toHaveCount(0);
  await expectAccessible(page);
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await page.goto(origin);
  await expect(refusal).toBeVisible();
  expect(faults).toEqual([]);
  // The right key in the place of the wrong one.
  await page.goto(`${origin}/#token=${token}`);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
});

/** "open", or the status of the refusal. */
function knock(
  { host }: Served,
  { path, protocols, headers }: { path: string; protocols: string[]; headers: Record<string, string> },
): Promise<'open' | number> {
  const socket = new WebSocket(`ws://${host}${path}`, protocols, { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.close();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      socket.terminate();
      resolve(statusCode);
    });
    socket.on('error', reject);
  });
}

/** With the path as it is given: a URL would tidy it up. */
function statusOf(address: string, path: string, host: string): Promise<number> {
  const [hostname, port] = address.split(':');
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
