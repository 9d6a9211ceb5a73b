import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expectAccessible } from './accessibility';
import { expect, test } from './app';
import { expectAllUsed, watchControls } from './controls';
import { expectFits } from './layout';

/** Buttons and keys that another test uses. */
const elsewhere = [/^(bar|Streams|Experiments|Sessions|Preflight|Settings|About): /];
const command = fileURLToPath(new URL('../dist/app/cli.cjs', import.meta.url));
const running: ChildProcess[] = [];

/** `whiteline nmos …` until the test ends; resolves with its first line. */
async function nmos(...flags: string[]): Promise<string> {
  const child = spawn(process.execPath, [command, 'nmos', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  running.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return String(line);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

test.afterEach(() => Promise.all(running.splice(0).map(end)));

test('each button and key of NMOS, and a click that really connects', async ({ whiteline }) => {
  const { page } = whiteline;
  const { origins } = JSON.parse(await nmos('registry', '--port', '0', '--json')) as { origins: string[] };
  const [registry = ''] = origins;
  await nmos('node', '--registry', registry, '--label', 'rack', '--json');
  void nmos('load', '--registry', registry, '--nodes', '40', '--hold', '10m');
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const show = (part: string) => page.getByText(part, { exact: true }).click();
  const address = page.getByRole('textbox', { name: 'Registry address' });
  const chosen = page.getByTestId('nmos-chosen');
  const matrix = page.getByTestId('nmos-matrix');
  const cell = page.getByTestId('nmos-cell');
  const outcome = page.getByTestId('nmos-outcome');
  const receivers = page.getByRole('searchbox', { name: /^Receivers/ });
  const senders = page.getByRole('searchbox', { name: /^Senders/ });

  await press('6');
  await watchControls(page);

  await test.step('no registry; one that was found, one that was typed, one that is none', async () => {
    await expect(page.getByTestId('nmos-empty')).toBeVisible();
    await expectAccessible(page);
    const found = page.getByTestId('nmos-registry').filter({ hasText: registry });
    await expect(found).toContainText('Answers');
    await expectFits(page, 'nmos-found');
    await found.getByRole('button').click();
    await expect(chosen).toHaveAttribute('data-state', 'live');
    await button('Stop reading').click();
    await expect(chosen).toHaveCount(0);
    await address.fill('ftp://192.0.2.7');
    await address.press('Enter');
    await expect(page.getByTestId('field-problem')).toContainText(
      'Expected a URL that begins with http:// or https://',
    );
    await address.fill(registry.replace('http://', ''));
    await button('Read').click();
    await expect(chosen).toContainText('41 nodes');
    await expect(chosen).toContainText('43 receivers');
  });

  await test.step('a receiver is found, connected by keys and disconnected by a click', async () => {
    await matrix.focus();
    await press('ArrowDown', 'End', 'PageDown', 'PageUp', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Home');
    await expect(cell).toContainText('not connected');
    await press('/');
    await page.keyboard.type('rack video');
    await senders.fill('rack video');
    await expect(receivers).toHaveValue('rack video');
    await matrix.focus();
    await press('Home', 'Enter');
    await expect(page.getByTestId('nmos-question')).toContainText(/^Connect rack video.+ to rack video/);
    await expectFits(page, 'nmos-question');
    await press('Escape');
    await expect(page.getByTestId('nmos-question')).toHaveCount(0);
    await expect(matrix).toBeFocused();
    await press('Enter', 'Enter');
    await expect(outcome).toHaveAttribute('data-state', 'done');
    await expect(cell).toContainText('): connected');
    await expectAccessible(page);
    await expectFits(page, 'nmos-connected');
    const rem = Number.parseFloat(
      await page.evaluate(() => getComputedStyle(document.documentElement).fontSize),
    );
    // Its one cell ends where what can be scrolled to ends.
    const space = matrix.locator('div');
    const { width = 0, height = 0 } = (await space.boundingBox()) ?? {};
    const position = { x: width - rem * 0.7, y: height - rem * 0.7 };
    await matrix.click({ position });
    await button('Cancel').click();
    await matrix.click({ position });
    await button('Disconnect').click();
    await expect(cell).toContainText('not connected');
  });

  await test.step('a device that does not answer is said', async () => {
    await receivers.fill('receiver 7');
    await matrix.focus();
    await press('Home', 'Enter');
    await button('Connect').click();
    await expect(outcome).toHaveAttribute('data-state', /pending|failed/);
    await receivers.fill('no such receiver');
    await expect(page.getByTestId('nmos-empty')).toContainText('No label or id contains this text');
    await receivers.fill('');
    await senders.fill('');
  });

  await test.step('resources of each kind, and a search', async () => {
    await show('Resources');
    const lines = page.getByTestId('nmos-resource');
    for (const kind of ['Devices 41', 'Senders 43', 'Receivers 43', 'Nodes 41']) await show(kind);
    await expect(lines.first()).toContainText('node 0');
    await expectFits(page, 'nmos-resources');
    await page.getByRole('searchbox', { name: /^Search/ }).fill('node 39');
    await expect(lines).toHaveCount(1);
    await expectAccessible(page);
  });

  await test.step('the doctor', async () => {
    await show('Doctor');
    await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('studio.test');
    await button('Examine').click();
    await expect(page.getByTestId('field-problem')).toContainText('Expected the address of a DNS server');
    await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('');
    await button('Examine').click();
    await expect(page.getByTestId('nmos-finding').first()).toContainText(registry);
    await expectAccessible(page);
    await expectFits(page, 'nmos-doctor');
    await expect(button('Examine again')).toBeEnabled();
  });

  await test.step('a registry that is lost', async () => {
    await end(running[0] as ChildProcess);
    await expect(chosen).toHaveAttribute('data-state', 'lost');
    await expect(chosen).toContainText('Whiteline tries again.');
    await expectFits(page, 'nmos-lost');
  });

  await expectAllUsed(page, [...elsewhere, 'NMOS: Examine again']);
});
