import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import type { ArchiveLife, ArchiveMessage } from '../app/protocol/archive';
import { archiveServiceName } from '../app/protocol/archive-process';
import { type ShellBridge, shellChannels } from '../app/protocol/bridge';
import { recordRun } from '../app/testing/recorded-run';
import { expect, test } from './app';

/** The page's own port to the archive, and what it was sent. */
interface Archive {
  port: MessagePort | null;
  ports: number;
  lives: ArchiveLife[];
}
type ArchiveWindow = Window & { whiteline: ShellBridge; archive: Archive };

/** Follows the archive as a window does: by the ports that main hands out. */
async function connect(page: Page): Promise<void> {
  await page.evaluate((channel) => {
    const view = window as unknown as ArchiveWindow;
    const archive: Archive = { port: null, ports: 0, lives: [] };
    view.archive = archive;
    view.whiteline.onArchiveLife((life) => archive.lives.push(life));
    window.addEventListener('message', ({ data, ports: [port] }) => {
      if (data?.type !== channel || !port) return;
      archive.port = port;
      archive.ports += 1;
      port.start();
    });
    view.whiteline.requestArchivePort();
  }, shellChannels.archivePort);
  await portNumber(page, 1);
}

async function portNumber(page: Page, number: number): Promise<void> {
  await page.waitForFunction((least) => (window as unknown as ArchiveWindow).archive.ports >= least, number);
}

/** Anything at all, as a script in the window could. */
function ask(page: Page, command: Readonly<Record<string, unknown>>): Promise<ArchiveMessage> {
  return page.evaluate(
    (asked) =>
      new Promise<ArchiveMessage>((resolve) => {
        const { port } = (window as unknown as ArchiveWindow).archive;
        const requestId = 1_000_000 + Math.floor(performance.now());
        port?.addEventListener('message', ({ data }: MessageEvent<ArchiveMessage>) => {
          if (data.type !== 'changed' && data.requestId === requestId) resolve(data);
        });
        port?.postMessage({ type: 'request', requestId, command: asked });
      }),
    command,
  );
}

function archiveProcess(app: ElectronApplication): Promise<number | null> {
  return app.evaluate(
    (electron, name) => electron.app.getAppMetrics().find((one) => one.name === name)?.pid ?? null,
    archiveServiceName,
  );
}

/** What a script in the window may say over the archive's port, and must not get. */
const refused = [
  { name: '__proto__' },
  { name: 'openRun', run: '../../etc' },
  { name: 'openRun', run: '../stick/brought' },
  { name: 'openReport', run: '/etc' },
  { name: 'openFolder', run: '..' },
  { name: 'exportRun', run: '/etc', kind: 'html' },
  { name: 'openSession', session: '..' },
  { name: 'openSessionReport', session: '/etc' },
  { name: 'exportGroup', group: { session: '../runs' }, kind: 'html' },
  { name: 'exportGroup', group: { runs: ['/etc', '..'] }, kind: 'html' },
  { name: 'importRuns', grant: '0'.repeat(64) },
  { name: 'attachPicture', run: '.', text: '' },
  { name: 'deleteRun', run: '../runs' },
];

test('recorded runs are found, exported where the operator says, refused outside, and survive a killed archive', async ({
  whiteline,
  folder,
}) => {
  const { app, page, runsFolder } = whiteline;
  recordRun(join(runsFolder, 'carried'), { startedAt: '2026-11-20T10:00:00.000Z' });
  recordRun(join(runsFolder, 'lost'), { startedAt: '2026-11-21T10:00:00.000Z', verdict: 'FAIL' });
  recordRun(join(folder, 'stick', 'brought'), { startedAt: '2026-11-19T10:00:00.000Z' });
  await connect(page);

  const found = await ask(page, { name: 'listRuns', filter: { verdict: 'FAIL' } });
  expect(found).toMatchObject({ result: { runs: [{ folder: 'lost' }], total: 1, recorded: 2 } });
  for (const command of refused)
    expect(await ask(page, command), JSON.stringify(command)).toMatchObject({
      ...{ type: 'reply', result: null },
      problem: { code: 'BAD_INPUT' },
    });

  await app.evaluate(
    ({ dialog }, { target, source }) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: target });
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [source] });
    },
    { target: join(folder, 'lost.pdf'), source: join(folder, 'stick', 'brought') },
  );
  const exported = await ask(page, { name: 'exportRun', run: 'lost', kind: 'pdf' });
  expect(exported).toMatchObject({ result: { path: join(folder, 'lost.pdf') } });
  expect(readFileSync(join(folder, 'lost.pdf'), 'latin1').slice(0, 5)).toBe('%PDF-');
  expect(await ask(page, { name: 'importRuns' })).toMatchObject({
    result: { runs: [{ folder: 'brought' }] },
  });

  // A deleted run is erased by itself once it was kept for as long as the setting says, which comes into force at once.
  expect(await ask(page, { name: 'deleteRun', run: 'brought' })).toMatchObject({
    ...{ type: 'reply', problem: null },
  });
  const deletedFolder = join(runsFolder, '.deleted');
  const [deletion = ''] = readdirSync(deletedFolder);
  const record = join(deletedFolder, deletion, 'deleted.json');
  const deletedAt = new Date(Date.now() - 8 * 86_400_000).toISOString();
  writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), deletedAt }));
  const keep = (days: 7 | 90) =>
    page.evaluate(
      (keepDeletedDays) => (window as unknown as ArchiveWindow).whiteline.changeSettings({ keepDeletedDays }),
      days,
    );
  expect(await keep(90)).toBeNull();
  expect(await ask(page, { name: 'listDeleted' })).toMatchObject({ result: [{ folder: 'brought' }] });
  expect(await keep(7)).toBeNull();
  await expect.poll(() => readdirSync(deletedFolder)).toEqual([]);

  const before = await archiveProcess(app);
  expect(niceness(before)).toBeGreaterThan(10);
  process.kill(before ?? Number.NaN, 'SIGKILL');
  await portNumber(page, 2);
  const lives = await page.evaluate(() => (window as unknown as ArchiveWindow).archive.lives);
  expect(lives.map(({ state }) => state)).toEqual(['running', 'crashed', 'running']);
  expect(await ask(page, { name: 'listRuns' })).toMatchObject({ result: { recorded: 2 } });
  expect(await archiveProcess(app)).not.toBe(before);
  await expect(page.getByTestId('engine-state')).toHaveText(/Engine running/);
});

/** Of a process; behind its name, which may hold anything, stand the figures. */
function niceness(processId: number | null): number {
  return Number(readFileSync(`/proc/${processId}/stat`, 'latin1').split(') ').pop()?.split(' ')[16]);
}
