import { join } from 'node:path';
import { NodeApplication } from '../engine/node-application';

/** Folder of the package: the kit lies in dist/testkit. */
export const packageFolder = join(__dirname, '..', '..');

export function application(): NodeApplication {
  return new NodeApplication({
    streamHostFile: join(packageFolder, 'dist', 'app', 'streamhost.cjs'),
    reportTemplate: join(packageFolder, 'dist', 'report', 'index.html'),
    appFolder: packageFolder,
  });
}

/** Of libndi, where a variable names it. */
export function ndiPath(): string | undefined {
  return process.env.WHITELINE_NDI_PATH || undefined;
}
