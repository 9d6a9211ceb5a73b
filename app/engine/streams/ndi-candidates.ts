import { basename, dirname, join, posix, win32 } from 'node:path';
import type { TransportSettings } from '../../protocol/transports';
import { packagedResources } from '../packaged';

/** Names of libndi's file by system, newest first. macOS: untested. */
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
  platform: NodeJS.Platform = process.platform,
): string[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const names = fileNames[platform] ?? [];
  const inFolder = (folder: string): string[] => names.map((name) => join(folder, name));
  if (settingsPath) return [settingsPath];
  const candidates: string[] = [];
  for (const folder of namedFolders(environment, platform)) candidates.push(...inFolder(folder));
  const resources = packagedResources(appFolder);
  candidates.push(...inFolder(resources ? join(resources, 'ndi') : appFolder), ...names);
  for (const folder of installedFolders(environment, platform)) candidates.push(...inFolder(folder));
  const system = packageNames[platform];
  for (const packages of system ? packageFolders(appFolder) : []) {
    const folder = join(packages, '@grandi', `${system}-${process.arch}`);
    candidates.push(...inFolder(folder), ...inFolder(join(folder, 'lib')));
  }
  return candidates;
}

/** What installers of NDI set; Windows' one of version 5 has a variable of its own. */
function namedFolders(
  { NDI_RUNTIME_DIR_V6: v6, NDI_RUNTIME_DIR_V5: v5 }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
) {
  return [v6, platform === 'win32' ? v5 : undefined].flatMap((folder) => folder || []);
}

/** Where NDI Tools, the runtime's own installer and the SDK put it on Windows, newest first: written by what is known of them, and untried. */
function installedFolders(
  { ProgramFiles: programs, NDI_SDK_DIR: sdk }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string[] {
  if (platform !== 'win32') return [];
  const ofSdk = sdk ? [win32.join(sdk, 'Bin', 'x64')] : [];
  const ofVersion = (version: number): string[] =>
    [
      `NDI ${version} Runtime\\v${version}`,
      `NDI ${version} Tools\\Runtime`,
      `NDI ${version} SDK\\Bin\\x64`,
    ].map((folder) => win32.join(programs || 'C:\\Program Files', 'NDI', folder));
  return [...ofSdk, ...ofVersion(6), ...ofVersion(5)];
}

/** Where npm puts the dependencies of the app: inside it or, if the app is itself a package, next to it. */
function packageFolders(appFolder: string): string[] {
  const around = dirname(appFolder);
  const inside = join(appFolder, 'node_modules');
  return basename(around) === 'node_modules' ? [inside, around] : [inside];
}

/** @param settingsPath see `ndiCandidates` */
export function ndiTransport(settingsPath: string | undefined, appFolder: string): TransportSettings {
  return { name: 'ndi', candidates: ndiCandidates(settingsPath, appFolder) };
}
