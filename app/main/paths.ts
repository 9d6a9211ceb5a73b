import path from 'node:path';
import { app } from 'electron';
import { engineEnvironment } from '../protocol/shell';

/** Main is bundled to dist/app/main.cjs, so the app's folder is two levels up, inside an archive too. */
export const appFolder = path.resolve(__dirname, '../..');

export const engineBundle = path.join(__dirname, 'engine.cjs');
export const streamHostBundle = path.join(__dirname, 'streamhost.cjs');
export const preloadBundle = path.join(__dirname, 'preload.cjs');
export const consolePage = path.join(appFolder, 'dist/renderer/index.html');

export function runsFolder(): string {
  return (
    process.env[engineEnvironment.runsFolder] || path.join(app.getPath('documents'), 'Whiteline', 'runs')
  );
}
