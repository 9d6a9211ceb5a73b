import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ElectronApplication } from '@playwright/test';
import { readNamedRun } from '../app/testing/named-rows';
import { type Console, expect, launchConsole, newestRun, test, typeFormat } from './app';

/** Keeps what closing asks, and answers with the button of this number; null: never. */
function listenToClosing(app: ElectronApplication, response: number | null): Promise<void> {
  return app.evaluate(({ dialog }, response) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (...given: unknown[]) => {
      asked.push((given.at(-1) as { message: string }).message);
      return new Promise((resolve) => {
        if (response !== null) resolve({ response, checkboxChecked: false });
      });
    };
  }, response);
}

let open: ChildProcess[] = [];
/** Of a test that failed: what is asked there gets no answer. */
test.afterEach(() => {
  for (const child of open) child.kill('SIGKILL');
  open = [];
});

async function launch(folder: string): Promise<Console> {
  const whiteline = await launchConsole(folder);
  open.push(whiteline.app.process());
  return whiteline;
}

const asked = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);

function closeConsole({ app }: Console): Promise<void> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => !webContents.getURL().includes('#'))
      ?.close(),
  );
}

async function addStream({ page }: Console): Promise<void> {
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');
  // A row that is shorter than a second is left out, and without one the run is aborted.
  const newest = page.getByTestId('study-table').locator('tbody tr').last();
  await expect(newest.locator('th').first()).toHaveText('1');
  const submitted = newest.locator('[data-metric="framesSubmitted"]');
  await expect.poll(async () => Number((await submitted.innerText()).replace(/\D/g, ''))).toBeGreaterThan(45);
}

test('closing and quitting ask while a stream is live, and no takes nothing away; a signal asks nothing', async ({
  folder,
}) => {
  const whiteline = await launch(folder);
  const { app, page, runsFolder } = whiteline;
  await addStream(whiteline);
  const opened = app.waitForEvent('window');
  await page.keyboard.press('f');
  await opened;
  const question = '1 stream is live. Stop and close Whiteline?';
  await listenToClosing(app, 0);
  await closeConsole(whiteline);
  await expect.poll(() => asked(app)).toEqual([question]);
  await app.evaluate((electron) => electron.app.quit());
  await expect.poll(() => asked(app)).toEqual([question, question]);
  expect(app.windows()).toHaveLength(2);
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');
  expect(readNamedRun(newestRun(runsFolder), { running: true }).state).toBe('running');

  await listenToClosing(app, null);
  const closed = app.waitForEvent('close');
  app.process().kill('SIGTERM');
  await closed;
  expect(readNamedRun(newestRun(runsFolder)).state).toBe('finished');
});

test('closing asks during a ramp, which then ends as aborted', async ({ folder }) => {
  const whiteline = await launch(folder);
  const { app, page, runsFolder } = whiteline;
  const parameters = { source: 'white-line', format: '640x360@30', maxStreams: 2, holdSeconds: 30 };
  expect(
    await whiteline.command({ name: 'startExperiment', experiment: 'stream-load', parameters }),
  ).toBeNull();
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  await listenToClosing(app, 0);
  await closeConsole(whiteline);
  await expect.poll(() => asked(app)).toEqual(['A run is going on. Stop it and close Whiteline?']);
  await expect(page.getByTestId('ramp-progress')).toBeVisible();

  await listenToClosing(app, 1);
  const closed = app.waitForEvent('close');
  await closeConsole(whiteline);
  await closed;
  expect(readNamedRun(newestRun(runsFolder)).state).toBe('aborted');
});

/** A file of a process in /proc; empty for one that is gone. */
function ofProcess(id: number | string, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

interface Member {
  id: number;
  parent: number;
}

/** Processes of a group, which a launcher leads that was started apart. */
function membersOf(group: number): Member[] {
  return readdirSync('/proc').flatMap((name) => {
    const [, state, parent, itsGroup] = /\) (\S) (\d+) (\d+)/.exec(ofProcess(name, 'stat')) ?? [];
    return Number(itsGroup) === group && state !== 'Z' ? [{ id: Number(name), parent: Number(parent) }] : [];
  });
}

for (const killed of ['the launcher', 'Electron'] as const)
  test(`where ${killed} is killed, no process of the console goes on`, async ({ folder }) => {
    const module = new URL('../scripts/exit-status.mjs', import.meta.url).href;
    const launching = `await (await import('${module}')).exitStatusOf(process.argv[1], process.argv.slice(2))`;
    const flags = process.env.WHITELINE_NO_SANDBOX ? ['--no-sandbox'] : [];
    const own = join(folder, 'launched');
    mkdirSync(own);
    const words = [...flags, fileURLToPath(new URL('..', import.meta.url)), `--user-data-dir=${own}`];
    const launcher = spawn(
      process.execPath,
      ['--input-type=module', '-e', launching, process.env.WHITELINE_ELECTRON ?? '', ...words],
      { detached: true, stdio: 'ignore', env: { ...process.env, WHITELINE_RUNS: join(folder, 'runs') } },
    );
    open.push(launcher);
    const group = launcher.pid ?? 0;
    const utilities = () =>
      membersOf(group).filter(({ id }) => ofProcess(id, 'cmdline').includes('--type=utility'));
    // The engine runs, and its stream hosts.
    await expect.poll(() => utilities().length).toBeGreaterThan(2);
    const electron = membersOf(group).find(({ parent }) => parent === group)?.id ?? 0;
    expect(electron).toBeGreaterThan(0);
    process.kill(killed === 'Electron' ? electron : group, 'SIGKILL');
    await expect.poll(() => membersOf(group)).toEqual([]);
  });

test('a second start shows the window of the first one and ends; with user data of its own it opens, and closes where nothing runs', async ({
  folder,
  whiteline,
}) => {
  const { app } = whiteline;
  const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await isVisible()).toBe(false);

  const userData = join(folder, 'user-data');
  const second = spawn(
    process.env.WHITELINE_ELECTRON ?? '',
    [
      ...(process.env.WHITELINE_NO_SANDBOX ? ['--no-sandbox'] : []),
      fileURLToPath(new URL('..', import.meta.url)),
      `--user-data-dir=${userData}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  second.stderr.on('data', (data) => {
    said += data;
  });
  // It is closed once all that it said is read, which its exit does not wait for.
  expect(await once(second, 'close')).toEqual([0, null]);
  expect(said).toContain(`Whiteline already runs with the user data in ${userData}`);
  await expect.poll(isVisible).toBe(true);
  expect(app.windows()).toHaveLength(1);

  const own = join(folder, 'own');
  mkdirSync(own);
  const other = await launch(own);
  expect(other.app.windows()).toHaveLength(1);

  await test.step('closing asks where the engine does not say whether anything runs', async () => {
    await listenToClosing(other.app, 0);
    const signal = (name: 'SIGSTOP' | 'SIGCONT') =>
      other.app.evaluate((electron, name) => {
        const engine = electron.app.getAppMetrics().find((metric) => metric.name === 'Whiteline engine');
        if (engine) process.kill(engine.pid, name);
      }, name);
    await signal('SIGSTOP');
    await closeConsole(other);
    const question = 'The engine does not answer. Close Whiteline all the same?';
    await expect.poll(() => asked(other.app)).toEqual([question]);
    await signal('SIGCONT');
    expect(await other.command({ name: 'removeStream' }), 'it answers again').not.toBeNull();
  });

  await test.step('closing asks nothing where nothing runs', async () => {
    await listenToClosing(other.app, null);
    const closed = other.app.waitForEvent('close');
    await closeConsole(other);
    await closed;
  });
});
