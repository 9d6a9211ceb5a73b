import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { note, SetupError, step } from '../setup/report.mjs';
import { toolCommand } from '../tools.mjs';
import { appImageTools } from './appimage-tools.mjs';
import { fuseFlags } from './fuses.mjs';
import { drawIcons } from './icons.mjs';

const packagesFolder = path.join(rootFolder, 'dist/packages');
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
    runBuilder(electron, wanted, tools, onProgress),
  );
  return readdirSync(packagesFolder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(AppImage|deb|exe|dmg)$/.test(entry.name))
    .map(({ name }) => path.join(packagesFolder, name));
}

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

async function runBuilder(electron, targets, tools, onProgress) {
  const builderArguments = [
    ...['--config', 'electron-builder.yml', '--publish', 'never'],
    ...[systemFlags[process.platform], ...targets],
    `-c.electronVersion=${electron.version}`,
    ...fuseFlags(electron.executable),
    // On macOS the executable lies deep in Electron's bundle, and the builder fetches one of its own.
    ...(process.platform === 'darwin' ? [] : [`-c.electronDist=${path.dirname(electron.executable)}`]),
  ];
  await mustRun(process.execPath, toolCommand('electron-builder', builderArguments), {
    failure: 'electron-builder made no package',
    remedy: 'what it downloads and what stands in for it: docs/packaging.md',
    env: { ...process.env, ...tools },
    onLine: onProgress,
  });
}
