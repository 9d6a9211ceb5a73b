import { join } from 'node:path';
import { NodeApplication } from '../engine/node-application';

/** Folder of the app; the bundle of the command lies in dist/app. */
export const appFolder = join(__dirname, '..', '..');

export function nodeApplication(): NodeApplication {
  return new NodeApplication({
    streamHostFile: join(__dirname, 'streamhost.cjs'),
    reportTemplate: join(appFolder, 'dist', 'report', 'index.html'),
  });
}

/** Path of libndi from the settings; on the command line, an environment variable. */
export function ndiPath(): string | undefined {
  return process.env.WHITELINE_NDI_PATH || undefined;
}
