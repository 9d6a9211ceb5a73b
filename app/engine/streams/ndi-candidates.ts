import { join } from 'node:path';
import type { TransportSettings } from '../../protocol/transports';
import { packagedResources } from '../packaged';

/** Names of libndi's file by system, newest first. Windows and macOS: untested. */
const fileNames: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['libndi.so.6', 'libndi.so.5', 'libndi.so'],
  darwin: ['libndi.dylib'],
  win32: ['Processing.NDI.Lib.x64.dll'],
};

const packageNames: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'win32',
};

/**
 * Where libndi is looked for, in this order: the settings' path, NDI_RUNTIME_DIR_V6, the app's folder (packaged: `ndi` of
 * its resources), the system, the npm package. A file is taken as it is; a bare name is left to the system's loader. A
 * path in the settings stands alone: a user who set one wants that runtime or an error.
 */
export function ndiCandidates(
  settingsPath: string | undefined,
  appFolder: string,
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  const names = fileNames[process.platform] ?? [];
  const inFolder = (folder: string): string[] => names.map((name) => join(folder, name));
  if (settingsPath) return [settingsPath];
  const candidates: string[] = [];
  if (environment.NDI_RUNTIME_DIR_V6) candidates.push(...inFolder(environment.NDI_RUNTIME_DIR_V6));
  const resources = packagedResources(appFolder);
  candidates.push(...inFolder(resources ? join(resources, 'ndi') : appFolder), ...names);
  const system = packageNames[process.platform];
  if (system) {
    const folder = join(appFolder, 'node_modules', '@grandi', `${system}-${process.arch}`);
    candidates.push(...inFolder(folder), ...inFolder(join(folder, 'lib')));
  }
  return candidates;
}

/** @param settingsPath see `ndiCandidates` */
export function ndiTransport(settingsPath: string | undefined, appFolder: string): TransportSettings {
  return { name: 'ndi', candidates: ndiCandidates(settingsPath, appFolder) };
}
