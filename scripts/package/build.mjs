import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { nativeBuildFolder } from '../native-build.mjs';
import { mustRun } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { note, SetupError, step } from '../setup/report.mjs';
import { windowsParts } from '../setup/windows.mjs';
import { toolCommand } from '../tools.mjs';
import { appImageTools } from './appimage-tools.mjs';
import { fuseFlags } from './fuses.mjs';
import { drawIcons } from './icons.mjs';

const packagesFolder = path.join(rootFolder, 'dist/packages');
const windowsFolder = path.join(rootFolder, 'dist/windows');
const iconsFolder = path.join(rootFolder, 'dist/icons');
const targetsBySystem = {
  linux: ['AppImage', 'deb'],
  win32: ['nsis'],
  darwin: ['dmg'],
};
const systemFlags = { linux: '--linux', win32: '--win', darwin: '--mac' };

/**
 * Makes packages for the system we are on, and resolves to their files.
 * @param {{electron: {executable: string, version: string, origin: string}}} environment
 * @param {{targets?: string[], isQuick?: boolean}} [options] targets: default all of this system; isQuick: larger files
 */
export async function buildPackages({ electron }, { targets = [], isQuick = false } = {}) {
  const known = targetsBySystem[process.platform] ?? [];
  const wanted = targets.length > 0 ? targets : known;
  for (const target of wanted) checkTarget(target, known);
  rmSync(packagesFolder, { recursive: true, force: true });
  await step('package', 'drawing the icon', async () => {
    await drawIcons(iconsFolder);
    if (wanted.includes('deb')) linkCommand();
  });
  const tools = await builderTools(electron, wanted, isQuick);
  await step('package', `making ${wanted.join(' and ')} with Electron ${electron.version}`, (onProgress) =>
    runBuilder(electron, process.platform, wanted, { variables: { ...ownParts, ...tools }, onProgress }),
  );
  return readdirSync(packagesFolder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(AppImage|deb|exe|dmg)$/.test(entry.name))
    .map(({ name }) => path.join(packagesFolder, name));
}

/**
 * The package for Windows as a folder, out of what MinGW-w64 built here: without DuckDB, and not signed.
 */
export async function buildWindowsFolder() {
  rmSync(windowsFolder, { recursive: true, force: true });
  await step('package', 'drawing the icon', () => drawIcons(iconsFolder));
  const electron = { executable: windowsParts.electron, version: windowsParts.electronVersion };
  const variables = {
    WHITELINE_SYSTEM: 'win32',
    // The builder takes paths of the checkout alone.
    WHITELINE_NATIVE_FOLDER: path.relative(rootFolder, nativeBuildFolder('windows')),
    WHITELINE_NDI_FOLDER: path.relative(rootFolder, path.dirname(windowsParts.ndi)),
  };
  const flags = [
    '--x64',
    `-c.directories.output=${windowsFolder}`,
    '-c.win.signExecutable=false',
    '-c.extraMetadata.author.name=Whiteline',
  ];
  await step('package', `making the folder for Windows with Electron ${electron.version}`, (onProgress) =>
    runBuilder(electron, 'win32', ['dir'], { flags, variables, onProgress }),
  );
  return path.join(windowsFolder, 'win-unpacked');
}

/** The same as the one file that is handed out. */
export async function buildWindowsZip() {
  const folder = await buildWindowsFolder();
  const { version } = JSON.parse(readFileSync(path.join(rootFolder, 'package.json'), 'utf8'));
  const archive = path.join(windowsFolder, `whiteline-${version}-win-x64.zip`);
  await mustRun('7z', ['a', '-bso0', '-mx=3', archive, `${folder}/.`], { failure: 'the ZIP was not made' });
  return archive;
}

/** What is packed of this system's own. */
const ownParts = {
  WHITELINE_SYSTEM: process.platform,
  WHITELINE_NATIVE_FOLDER: 'native/build/Release',
  WHITELINE_NDI_FOLDER: 'node_modules/@grandi/win32-x64',
};

function checkTarget(target, known) {
  if (known.includes(target)) return;
  throw new SetupError(
    `Expected one of ${known.join(', ') || 'none'} for the package but received ${target}.`,
    'each system makes its own packages: NSIS needs Windows, dmg needs macOS',
  );
}

/** The .deb brings the command by a link that is right in any root. */
function linkCommand() {
  symlinkSync('../../opt/Whiteline/resources/bin/whiteline', path.join(iconsFolder, 'whiteline-command'));
}

/** What electron-builder would download, where we have it otherwise; said by name. */
async function builderTools(electron, targets, isQuick) {
  const variables = {};
  if (targets.includes('deb')) {
    variables.CUSTOM_FPM_PATH = path.join(rootFolder, 'scripts/package/fpm.mjs');
    note('package', 'fpm: not fetched, dpkg-deb makes the .deb (scripts/package/fpm.mjs)');
  }
  if (targets.includes('AppImage') && electron.origin === 'wheel') {
    variables.APPIMAGE_TOOLS_PATH = await appImageTools(isQuick);
    note(
      'package',
      "AppImage tools: not fetched, the system's mksquashfs and the runtime of Electron's own image",
    );
  }
  return variables;
}

async function runBuilder(electron, system, targets, { flags = [], variables, onProgress }) {
  const builderArguments = [
    ...['--config', 'electron-builder.yml', '--publish', 'never'],
    ...[systemFlags[system], ...targets],
    ...flags,
    `-c.electronVersion=${electron.version}`,
    ...fuseFlags(electron.executable),
    // On macOS the executable lies deep in Electron's bundle, and the builder fetches one of its own.
    ...(system === 'darwin' ? [] : [`-c.electronDist=${path.dirname(electron.executable)}`]),
  ];
  await mustRun(process.execPath, toolCommand('electron-builder', builderArguments), {
    failure: 'electron-builder made no package',
    remedy: 'what it downloads and what stands in for it: docs/packaging.md',
    env: { ...process.env, ...variables },
    onLine: onProgress,
  });
}
