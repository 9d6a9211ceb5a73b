import type { ShellBridge } from '../../app/protocol/bridge';
import { parseSettings, parseSettingsChange, type SettingsView } from '../../app/protocol/settings';

let view: SettingsView = {
  settings: parseSettings({ searchHosts: ['192.0.2.7', 'stage-pc'] }),
  file: '/home/operator/.config/whiteline/settings.json',
  problem: null,
  runsFolder: '/home/operator/Documents/Whiteline/runs',
  overriddenBy: { runsFolder: 'WHITELINE_RUNS' },
  isRestartNeeded: false,
};
let report: (view: SettingsView) => void = () => {};

/** The part of the shell that keeps settings and notices, for as long as the page is open. */
export const replayedSettings: Pick<
  ShellBridge,
  'readSettings' | 'onSettings' | 'changeSettings' | 'chooseSetting' | 'readAbout'
> = {
  readSettings: async () => view,
  onSettings: (listener) => {
    report = listener;
  },
  changeSettings: async (change) => {
    const settings = { ...view.settings, ...parseSettingsChange(change) };
    view = { ...view, settings, isRestartNeeded: true };
    report(view);
    return null;
  },
  chooseSetting: async () => null,
  readAbout: async () => ({
    versions: { whiteline: '0.1.0', electron: '45.4.1', chrome: '152.0.7870.31', node: '24.14.0' },
    notices: [
      { id: 'licence', text: 'Apache License\nVersion 2.0, January 2004' },
      { id: 'notice', text: 'Whiteline\nLicensed under the Apache License, Version 2.0; see LICENSE.' },
      { id: 'libraries', text: null },
      { id: 'ndi', text: 'NDI® libraries' },
    ],
  }),
};
