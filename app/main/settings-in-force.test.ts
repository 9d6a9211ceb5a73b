import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examplePictures } from '../testing/example-pictures';
import { SettingsFile } from './settings';
import { SettingsInForce } from './settings-in-force';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whiteline-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function settingsIn(environment: NodeJS.ProcessEnv = {}): SettingsInForce {
  return new SettingsInForce({
    file: new SettingsFile(join(folder, 'settings.json')),
    usualRunsFolder: '/usual/runs',
    ndiFolder: join(folder, 'ndi'),
    environment: { NDI_CONFIG_DIR: join(folder, 'machine'), ...environment },
  });
}

test('the engine is started with the settings, and learns others only by a new start', () => {
  const inForce = settingsIn();
  const views: boolean[] = [];
  inForce.onChange(() => views.push(inForce.view().isRestartNeeded));
  expect(inForce.startEnvironment()).toMatchObject({ WHITELINE_RUNS: '/usual/runs', WHITELINE_NDI_PATH: '' });
  expect(
    inForce.changeByWindow({ theme: 'light', networkUnit: 'MB/s', windowScalePercent: 125, presets: [] }),
  ).toBeNull();
  expect(inForce.changeByWindow({ searchHosts: ['192.0.2.7', 'stage-pc'] })).toBeNull();
  expect(inForce.change({ thresholds: { file: '/own/limits.yaml' }, ndiPath: '/opt/libndi.so' })).toBeNull();
  expect(inForce.startEnvironment()).toMatchObject({
    WHITELINE_SEARCH_HOSTS: '192.0.2.7,stage-pc',
    WHITELINE_THRESHOLDS: '/own/limits.yaml',
    WHITELINE_NDI_PATH: '/opt/libndi.so',
    NDI_CONFIG_DIR: join(folder, 'machine'),
  });
  expect(views).toEqual([false, false, true, true, false]);
});

test('the environment stands above a setting, and says so', () => {
  const inForce = settingsIn({ WHITELINE_RUNS: '/given/runs', WHITELINE_NDI_PATH: '' });
  expect(inForce.change({ runsFolder: '/own/runs', ndiPath: '/opt/libndi.so' })).toBeNull();
  expect(inForce.startEnvironment()).toMatchObject({
    WHITELINE_RUNS: '/given/runs',
    WHITELINE_NDI_PATH: '/opt/libndi.so',
  });
  expect(inForce.view()).toMatchObject({
    runsFolder: '/given/runs',
    overriddenBy: { runsFolder: 'WHITELINE_RUNS' },
  });
});

test('discovery servers go into NDI’s configuration beside what the machine’s own says', () => {
  mkdirSync(join(folder, 'machine'));
  const own = {
    ndi: { networks: { discovery: 'old', ips: '192.0.2.1' }, rudp: { send: { enable: false } } },
  };
  writeFileSync(join(folder, 'machine', 'ndi-config.v1.json'), JSON.stringify(own));
  const inForce = settingsIn();
  expect(inForce.changeByWindow({ discoveryServers: ['192.0.2.5', 'pc:5959'] })).toBeNull();
  const { NDI_CONFIG_DIR: place = '' } = inForce.startEnvironment();
  expect(JSON.parse(readFileSync(join(place, 'ndi-config.v1.json'), 'utf8'))).toEqual({
    ndi: {
      networks: { discovery: '192.0.2.5,pc:5959', ips: '192.0.2.1' },
      rudp: { send: { enable: false } },
    },
  });
});

test('groups reach NDI by the next start, and a network card that is not there is reported while NDI takes all', () => {
  const inForce = settingsIn();
  expect(inForce.changeByWindow({ ndiGroups: ['stage', 'public'] })).toBeNull();
  expect(inForce.changeByWindow({ networkInterface: 'none0' })).toBeNull();
  expect(inForce.view().isRestartNeeded).toBe(true);
  const { NDI_CONFIG_DIR: place = '' } = inForce.startEnvironment();
  expect(JSON.parse(readFileSync(join(place, 'ndi-config.v1.json'), 'utf8'))).toEqual({
    ndi: { groups: { send: 'stage,public', recv: 'stage,public' } },
  });
  expect(inForce.view().problem).toMatchObject({ field: 'networkInterface', value: 'none0' });
  expect(inForce.changeByWindow({ networkInterface: null })).toBeNull();
  inForce.startEnvironment();
  expect(inForce.view()).toMatchObject({ problem: null, isRestartNeeded: false });
  expect(inForce.changeByWindow({ ndiGroups: ['a\nb'] })).toMatchObject({
    code: 'BAD_INPUT',
    field: 'ndiGroups',
  });
});

test('an NDI configuration that cannot be written is reported, and the engine starts all the same', () => {
  writeFileSync(join(folder, 'ndi'), '');
  const inForce = settingsIn();
  expect(inForce.changeByWindow({ discoveryServers: ['192.0.2.5'] })).toBeNull();
  expect(inForce.startEnvironment().NDI_CONFIG_DIR).toBe(join(folder, 'machine'));
  expect(inForce.view().problem?.message).toContain('not given its settings');
});

test('what a window may not change is refused with the field', () => {
  const inForce = settingsIn();
  expect(inForce.changeByWindow({ runsFolder: '/etc' })).toMatchObject({
    code: 'BAD_INPUT',
    field: 'runsFolder',
  });
  expect(inForce.changeByWindow(null)).toMatchObject({ code: 'BAD_INPUT', field: 'settings' });
  expect(inForce.view().runsFolder).toBe('/usual/runs');
});

test('a logo that no report can show is refused when it is chosen, and reports need no new start', () => {
  const inForce = settingsIn();
  inForce.startEnvironment();
  const drawing = join(folder, 'logo.png');
  writeFileSync(drawing, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(inForce.change({ reportLogo: drawing })).toMatchObject({ code: 'BAD_INPUT', field: 'logo' });
  expect(inForce.settings.reportLogo).toBeNull();
  const picture = join(folder, 'logo.svg');
  writeFileSync(picture, examplePictures.png);
  expect(inForce.change({ reportLogo: picture })).toBeNull();
  expect(inForce.changeByWindow({ reportProject: 'Hall 3', reportPaper: 'letter' })).toBeNull();
  expect(inForce.changeByWindow({ reportLogo: picture })).toMatchObject({ code: 'BAD_INPUT' });
  expect(inForce.changeByWindow({ reportClient: 'one\nline' })).toMatchObject({ field: 'reportClient' });
  expect(inForce.view().isRestartNeeded).toBe(false);
});
