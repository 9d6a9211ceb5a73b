import { app } from 'electron';
import { ndiFolderIn, settingsFileIn, usualRunsFolderIn } from '../protocol/machine-settings';
import { SettingsFile } from './settings';
import { SettingsDesk } from './settings-desk';

let desk: SettingsDesk | null = null;

/** The settings of this machine, read when they are first asked for. */
export function machineSettings(): SettingsDesk {
  const userData = app.getPath('userData');
  desk ??= new SettingsDesk({
    file: new SettingsFile(settingsFileIn(userData)),
    usualRunsFolder: usualRunsFolderIn(app.getPath('documents')),
    ndiFolder: ndiFolderIn(userData),
    environment: process.env,
  });
  return desk;
}
