import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test } from 'vitest';
import type { EngineState } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import { keepDeletedDays, parseSettings, type SettingsView } from '../../app/protocol/settings';
import { stubWindow } from '../../app/testing/window';
import { stateOf } from '../testing/engine-state';
import { texts } from '../texts';

let answer: Problem | null;
let report: (view: SettingsView) => void;

beforeEach(() => {
  answer = null;
  stubWindow({
    onSettings: (listener) => {
      report = listener;
    },
    readSettings: () => new Promise(() => undefined),
    changeSettings: async () => answer,
    chooseSetting: async () => answer,
  });
});

const unreadable: Problem = { code: 'BAD_INPUT', message: 'the file is broken' };

async function alerts() {
  const { allAlerts, useConsole } = await import('../engine/console-store');
  return allAlerts(useConsole.getState()).map(({ key, message }) => [key, message]);
}

test('a file of settings that could not be read is said once, however often the settings come', async () => {
  const store = await import('./settings-store');
  const { useConsole, withoutAlert } = await import('../engine/console-store');
  const view: SettingsView = {
    settings: parseSettings({ searchHosts: ['192.0.2.7', 'stage-pc'] }),
    ...{ file: '/home/operator/.config/whiteline/settings.json', problem: unreadable },
    ...{
      runsFolder: '/home/operator/Documents/Whiteline/runs',
      overriddenBy: {},
      networkCards: [{ name: 'eth0', addresses: ['192.0.2.7'] }],
      isRestartNeeded: false,
    },
  };
  store.followSettings();
  report(view);
  expect(store.useMachineSettings.getState().view).toBe(view);
  expect(await alerts()).toEqual([['settings-file', 'the file is broken']]);
  useConsole.setState((state) => withoutAlert(state, 'settings-file'));
  report({ ...view, isRestartNeeded: true });
  expect(await alerts()).toEqual([]);
});

test('what is wrong with a change stays until the next one went well', async () => {
  const { changeSettings, chooseSetting } = await import('./settings-store');
  answer = { code: 'BAD_INPUT', message: 'not there' };
  await changeSettings({ searchHosts: ['-f'] });
  expect(await alerts()).toEqual([['settings', 'not there']]);
  answer = null;
  await chooseSetting('ndiPath');
  expect(await alerts()).toEqual([]);
});

test('8 Mb/s are 1 MB/s', async () => {
  const { networkUnits, perMbps } = await import('./network-unit');
  expect(networkUnits.map((unit) => [unit, 8 * perMbps[unit]])).toEqual([
    ['Mb/s', 8],
    ['MB/s', 1],
  ]);
});

test.each([null, ...keepDeletedDays])(
  'that deleted runs are kept for %s days is what is chosen',
  async (kept) => {
    const { DeletedSetting } = await import('./deleted-setting');
    const markup = renderToStaticMarkup(<DeletedSetting kept={kept} />);
    const chosen = [...markup.matchAll(/checked=""\/><span[^>]*>([^<]*)</g)].map(([, name]) => name);
    const names = texts.settings.keepDeletedDays.options;
    expect(chosen).toEqual([kept === null ? names.never : names[kept]]);
  },
);

test.each<[EngineState['mode'], boolean]>([
  ['idle', true],
  ['experiment', false],
])('an engine that is %s may be restarted: %s', async (mode, may) => {
  const { useConsole } = await import('../engine/console-store');
  const { RestartNotice } = await import('./restart-notice');
  // Without a document, React renders the first state only.
  useConsole.getInitialState().engine = stateOf({ state: { mode } });
  const markup = renderToStaticMarkup(<RestartNotice isNeeded />);
  expect(markup.includes(texts.settings.restart.busy)).toBe(!may);
  expect(/<button[^>]* disabled/.test(markup)).toBe(!may);
  expect(renderToStaticMarkup(<RestartNotice isNeeded={false} />)).toBe('');
});
