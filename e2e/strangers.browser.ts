import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endRun, typeFormat } from './app';
import { expect, test } from './served';

/** A page of another site, open in a browser of the same machine, while a run goes on in `whiteline serve`. */

test('a page of another origin opens and breaks what it can, and the run goes on', async ({
  page,
  served,
  context,
}) => {
  await page.goto(served.address);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  const strip = page.getByTestId('stream-strip');
  await expect(strip.getByTestId('stream-state')).toContainText('Receiving');

  const site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  const stranger = await context.newPage();
  await stranger.goto(`http://localhost:${port}/`);
  const { host } = served;
  const opened = await stranger.evaluate(async (target) => {
    let open = 0;
    const port = target.split(':')[1];
    // A WebSocket that is closed while it knocks is reset; names of this machine are other hosts.
    for (const name of [target, `localhost:${port}`])
      for (let attempt = 0; attempt < 60; attempt++) {
        const socket = new WebSocket(`ws://${name}/engine`, ['whiteline', '0'.repeat(64)]);
        socket.onopen = () => {
          open += 1;
        };
        await new Promise((resolve) => setTimeout(resolve, attempt % 10));
        socket.close();
      }
    for (let attempt = 0; attempt < 60; attempt++) {
      const abort = new AbortController();
      const asked = fetch(`http://${target}/`, {
        method: 'POST',
        mode: 'no-cors',
        body: 'x',
        signal: abort.signal,
      });
      await new Promise((resolve) => setTimeout(resolve, attempt % 10));
      abort.abort();
      await asked.catch(() => undefined);
    }
    return open;
  }, host);
  expect(opened).toBe(0);
  await stranger.close();
  site.close();

  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  await expect(strip.getByTestId('stream-state')).toContainText('Receiving');
  expect(served.server.exitCode).toBeNull();
  await endRun(page);
  await expect(page.getByTestId('mode')).toHaveText('Idle');
});
