import { join } from 'node:path';

/** Folder of the app: the command lies in dist/app, and its sources in app/cli. */
export const appFolder = join(__dirname, '..', '..');
