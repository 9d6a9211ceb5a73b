import path from 'node:path';
import { app } from 'electron';
import { SettingsFile } from './settings';
import { SettingsDesk } from './settings-desk';

let desk: SettingsDesk | null = null;

/** The settings of this machine, read when they are first asked for. */
export function machineSettings(): SettingsDesk {
  const userData = app.getPath('userData');
  desk ??= new SettingsDesk({
    file: new SettingsFile(path.join(userData, 'settings.json')),
    usualRunsFolder: path.join(app.getPath('documents'), 'Whiteline', 'runs'),
    ndiFolder: path.join(userData, 'ndi'),
    environment: process.env,
  });
  return desk;
}
