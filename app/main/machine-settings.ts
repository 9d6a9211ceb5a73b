import { app } from 'electron';
import { ndiFolderIn, settingsFileIn, usualRunsFolderIn } from '../protocol/machine-settings';
import { SettingsFile } from './settings';
import { SettingsInForce } from './settings-in-force';

let inForce: SettingsInForce | null = null;

/** The settings of this machine, read when they are first asked for. */
export function machineSettings(): SettingsInForce {
  const userData = app.getPath('userData');
  inForce ??= new SettingsInForce({
    file: new SettingsFile(settingsFileIn(userData)),
    usualRunsFolder: usualRunsFolderIn(app.getPath('documents')),
    ndiFolder: ndiFolderIn(userData),
    environment: process.env,
  });
  return inForce;
}
