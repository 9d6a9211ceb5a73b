import path from 'node:path';
import { app } from 'electron';
import { machineSettings } from './machine-settings';

/** Main is bundled to dist/app/main.cjs, so the app's folder is two levels up, inside an archive too. */
export const appFolder = path.resolve(__dirname, '../..');

export const engineBundle = path.join(__dirname, 'engine.cjs');
export const archiveBundle = path.join(__dirname, 'archive.cjs');
export const streamHostBundle = path.join(__dirname, 'streamhost.cjs');
export const preloadBundle = path.join(__dirname, 'preload.cjs');
export const consoleFolder = path.join(appFolder, 'dist/renderer');

export function runsFolder(): string {
  return machineSettings().runsFolder();
}

/** Of the console's window, in the folder of this user's settings. */
export function windowPlaceFile(): string {
  return path.join(app.getPath('userData'), 'window.json');
}
