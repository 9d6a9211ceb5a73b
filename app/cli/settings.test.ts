import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { CommandHere } from '../testing/command-here';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';
import { userFolders } from './user-folders';

const root = temporaryFolder();
let homes = 0;

/** A home of its own, with settings of the console in it. */
function homeWith(settings?: string): { home: string; environment: NodeJS.ProcessEnv } {
  const home = join(root, `home-${++homes}`);
  const folder = join(home, '.config', 'whiteline');
  mkdirSync(folder, { recursive: true });
  if (settings !== undefined) writeFileSync(join(folder, 'settings.json'), settings);
  const own = { WHITELINE_RUNS: '', WHITELINE_THRESHOLDS: '', XDG_CONFIG_HOME: '' };
  return { home, environment: { ...own, HOME: home } };
}

async function planOf(environment: NodeJS.ProcessEnv, flags: string[] = []): Promise<string> {
  const words = ['run', 'preflight', '--print-plan', ...flags];
  return (await new CommandHere(words, environment).ended).output;
}

test('what the console knows as the user’s folders', () => {
  const on = (platform: NodeJS.Platform, home: string, environment = {}) =>
    userFolders('whiteline', home, environment, platform);
  expect(on('win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' })).toEqual({
    ...{ userData: 'D:\\Roaming\\whiteline', documents: 'C:\\Users\\me\\Documents' },
  });
  expect(on('darwin', '/Users/me')).toEqual({
    ...{ userData: '/Users/me/Library/Application Support/whiteline', documents: '/Users/me/Documents' },
  });
  const { home } = homeWith();
  expect(on('linux', home)).toEqual({ userData: join(home, '.config', 'whiteline'), documents: home });
  const named: [text: string, documents: string][] = [
    ['# comment\nXDG_DOCUMENTS_DIR="$HOME/Dokumente"\n', join(home, 'Dokumente')],
    ['XDG_DOCUMENTS_DIR="/data/docs/"', '/data/docs'],
    ['XDG_MUSIC_DIR="$HOME/Music"', home],
  ];
  for (const [text, documents] of named) {
    writeFileSync(join(home, '.config', 'user-dirs.dirs'), text);
    expect(on('linux', home).documents).toBe(documents);
  }
  const moved = { XDG_CONFIG_HOME: join(root, 'moved') };
  expect(on('linux', home, moved)).toEqual({ userData: join(root, 'moved', 'whiteline'), documents: home });
});

test('the history is that of the console: its folder, or what is set there, or a variable', async () => {
  const record = (folder: string) =>
    recorderIn(join(folder, 'a-run')).recorder.end('finished', 'PASS', `recorded in ${folder}`);
  const usual = homeWith();
  const [set, named] = [join(root, 'set runs'), join(root, 'named runs')];
  for (const folder of [join(usual.home, 'Whiteline', 'runs'), set, named]) await record(folder);
  const other = homeWith(JSON.stringify({ runsFolder: set }));
  const listed = async (environment: NodeJS.ProcessEnv, ...flags: string[]): Promise<string> =>
    (await new CommandHere(['runs', ...flags], environment).ended).output;
  expect(await listed(usual.environment)).toContain(`recorded in ${usual.home}`);
  expect(await listed(other.environment)).toContain(`recorded in ${set}`);
  expect(await listed({ ...other.environment, WHITELINE_RUNS: named })).toContain(`recorded in ${named}`);
  expect(await listed(other.environment, '--runs', named)).toContain(`recorded in ${named}`);
});

test('a run is recorded in the history of the console', async () => {
  const { home, environment } = homeWith();
  const { exitCode } = await new CommandHere(['run', 'preflight', '--duration', '1s'], environment).ended;
  expect([exitCodes.pass, exitCodes.fail]).toContain(exitCode);
  expect(readdirSync(join(home, 'Whiteline', 'runs'))).toEqual([expect.stringMatching(/^20.+Z-preflight$/)]);
});

test('the profile of thresholds that is set there counts where none is given', async () => {
  const { environment } = homeWith(JSON.stringify({ thresholds: 'flawless' }));
  expect(await planOf(environment)).toContain('thresholds: flawless');
  expect(await planOf(environment, ['--thresholds', 'study'])).toContain('thresholds: study');
  expect(await planOf(homeWith().environment)).not.toContain('thresholds');
});

test('settings that cannot be read are reported by each command, and keep none from its work', async () => {
  const { home, environment } = homeWith('{ "runsFolder": 5 }');
  const { output } = await new CommandHere(['doctor'], environment).ended;
  expect(output).toMatch(
    /warning +settings: .+settings\.json cannot be read \(Expected the path of a folder/,
  );
  const { output: plan, errors } = await new CommandHere(['run', 'preflight', '--print-plan'], environment)
    .ended;
  expect(plan).toContain('experiment: preflight');
  expect(errors).toMatch(
    /^whiteline: .+settings\.json cannot be read .+, so the default settings are used\n$/,
  );
  expect(readdirSync(join(home, '.config', 'whiteline'))).toEqual(['settings.json']);
});
