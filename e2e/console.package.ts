import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../app/protocol/errors';
import { expect, launchConsole, test, typeFormat } from './app';
import { readRows } from './run-files';

// `scripts/test/package.mjs` made both packages and unpacked them: the root of the .deb, and what an AppImage mounts.
const debRoot = named('WHITELINE_DEB_ROOT');
const appImageRoot = named('WHITELINE_APPIMAGE_ROOT');
const { version: ownVersion, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};
const packages = [
  { name: '.deb', appFolder: join(debRoot, 'opt/Whiteline'), program: 'whiteline-console' },
  { name: 'AppImage', appFolder: appImageRoot, program: 'AppRun' },
];

function named(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run these tests by npm test -- package`);
  return value;
}

/** The command that the .deb installs, run to its end. */
function whiteline(
  folder: string,
  ...commandArguments: string[]
): Promise<{ exitCode: number; output: string }> {
  // Nothing of the tests' own environment may help it to find its parts.
  const { PATH, HOME, DISPLAY } = process.env;
  // Meant for a Node of the shell: where the command heeds it, nothing starts.
  const NODE_OPTIONS = '--require=/absent.cjs';
  const options = { cwd: folder, env: { PATH, HOME, DISPLAY, NODE_OPTIONS } };
  return new Promise((resolve) => {
    const command = join(debRoot, 'usr/bin/whiteline');
    const child = execFile(command, commandArguments, options, (_error, output, errors) =>
      resolve({ exitCode: child.exitCode ?? -1, output: output + errors }),
    );
  });
}

for (const { name, appFolder, program } of packages) {
  const resources = join(appFolder, 'resources');

  test(`the console of the ${name} opens, and carries a stream of real NDI`, async ({ folder }) => {
    const console = await launchConsole(folder, { packagedExecutable: join(appFolder, program) });
    const { app, page } = console;
    try {
      expect(
        await app.evaluate(({ app }) => ({ isPackaged: app.isPackaged, path: app.getAppPath() })),
      ).toEqual({
        isPackaged: true,
        path: join(resources, 'app.asar'),
      });
      const painted = () => performance.getEntriesByName('first-contentful-paint').length;
      await expect.poll(() => page.evaluate(painted)).toBe(1);
      await typeFormat(page, '640x360@30');
      await page.getByRole('button', { name: 'Add stream' }).click();
      await expect(page.getByTestId('stream-strip').getByTestId('stream-state')).toContainText('Receiving');
      const rail = page.getByRole('navigation');
      // The archive's process lists the run.
      await rail.getByRole('button', { name: 'Sessions' }).click();
      await expect(page.locator('[data-run]')).toHaveCount(1);
      await rail.getByRole('button', { name: 'About' }).click();
      await expect(page.getByRole('definition').filter({ hasText: ownVersion })).toBeVisible();
      await page.getByText('Libraries', { exact: true }).click();
      await expect(page.getByTestId('notice-text')).toContainText('Snappy (BSD-3-Clause)');
    } finally {
      await app.close();
    }
  });

  test(`the ${name} carries libraries outside its archive, and every licence`, () => {
    const outside = [
      'native/whiteline.node',
      'native/whiteline-content.node',
      'native/whiteline-pacer',
      'ndi/libndi.so.6',
      'ndi/libndi_licenses.txt',
      'licences/LICENSE',
      'licences/NOTICE',
      'bin/whiteline',
      '../LICENSE.electron.txt',
      '../LICENSES.chromium.html',
    ];
    expect(outside.filter((file) => !existsSync(join(resources, file)))).toEqual([]);
    const list = readFileSync(join(resources, 'licences/third-party.txt'), 'utf8');
    const works = [
      ...Object.entries(dependencies).map(([work, version]) => `${work} ${version} (`),
      ...['Snappy (', 'bcdec (', 'NDI SDK headers (', 'NDI® runtime library (libndi)'],
    ];
    expect(works.filter((work) => !list.includes(work))).toEqual([]);
    // Electron may come out of another app's package: nothing of that app goes along.
    const foreign = execFileSync('find', [appFolder, '-iname', '*fiftyone*'], { encoding: 'utf8' });
    expect(foreign).toBe('');
    expect(existsSync(join(resources, 'app'))).toBe(false);
  });
}

test('the command of the .deb finds all of its parts', async ({ folder }) => {
  const resources = join(debRoot, 'opt/Whiteline/resources');

  await test.step('its version', async () => {
    expect(await whiteline(folder, '--version')).toEqual({ exitCode: 0, output: `${ownVersion}\n` });
  });

  await test.step('addon and libndi', async () => {
    const { exitCode, output } = await whiteline(folder, 'doctor', '--json');
    expect(exitCode, output).toBe(0);
    const findings = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { name: string; text: string });
    const textOf = (name: string) => findings.find((finding) => finding.name === name)?.text;
    expect(textOf('native addon')).toBe('loaded');
    expect(textOf('NDI runtime')).toContain(join(resources, 'ndi/libndi.so.6'));
  });

  await test.step('the bundle of NMOS', async () => {
    const { exitCode, output } = await whiteline(folder, 'nmos', 'registry', '--port', '65536');
    expect([exitCode, output]).toEqual([exitCodes.badInput, expect.stringContaining('for --port')]);
  });

  await test.step('stream hosts, the report page, its printing, DuckDB', async () => {
    const size = [
      '--format',
      '320x180@30',
      '--max-streams',
      '1',
      '--hold',
      '1.5s',
      '--stop-on',
      'sender-miss',
    ];
    const run = await whiteline(folder, 'run', 'stream-load', ...size, '--out', 'run');
    // A busy machine may lose a frame, which is judged; what is asked here is whether frames come at all.
    expect([exitCodes.pass, exitCodes.fail, exitCodes.invalid], run.output).toContain(run.exitCode);
    const last = readRows(join(folder, 'run')).at(-1);
    expect(last?.streams).toBe(1);
    expect(last?.framesReceived).toBeGreaterThan(0);
    const files = ['--html', 'a.html', '--pdf', 'a.pdf', '--parquet', 'parquet'];
    const report = await whiteline(folder, 'report', 'run', ...files);
    expect(report.exitCode, report.output).toBe(0);
    expect(readFileSync(join(folder, 'a.html'), 'utf8')).toContain('<html');
    expect(readFileSync(join(folder, 'a.pdf'), 'latin1')).toMatch(/^%PDF-/);
    expect(readFileSync(join(folder, 'parquet/rows.parquet'), 'latin1')).toMatch(/^PAR1/);
  });

  await test.step('the manifest of the content battery', async () => {
    const flags = [
      '--clips',
      'noise',
      '--size',
      '320x180',
      '--clip-length',
      '1s',
      '--content-folder',
      'clips',
    ];
    const { exitCode, output } = await whiteline(folder, 'content', 'make', ...flags);
    expect(exitCode, output).toBe(0);
    expect(readdirSync(join(folder, 'clips')).filter((file) => file.endsWith('.mov'))).toHaveLength(1);
  });
});
