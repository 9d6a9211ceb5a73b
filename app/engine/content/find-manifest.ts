import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Manifest, readManifest } from './manifest';

let found: Manifest | null = null;

/**
 * The battery's manifest, which is part of the app: in the first folder above this code that has it.
 * @throws WhitelineError NOT_FOUND, BAD_INPUT
 */
export function findManifest(): Manifest {
  found ??= readManifest(appFolderOf(__dirname));
  return found;
}

function appFolderOf(folder: string): string {
  const above = dirname(folder);
  const isHere = existsSync(join(folder, 'test-content', 'manifest.yaml'));
  return isHere || above === folder ? folder : appFolderOf(above);
}
