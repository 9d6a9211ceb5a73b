import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from '../setup/command.mjs';
import { ensureAppImageRuntime } from '../setup/electron.mjs';
import { runtimeFolder } from '../setup/platform.mjs';
import { SetupError } from '../setup/report.mjs';

/**
 * The folder that electron-builder would download for AppImages, laid out as it is there: the system's tools, and an
 * AppImage's runtime. Libraries go into none: Debian names the ones Electron needs.
 * @param {boolean} isQuick compresses little, for a package that is tried and thrown away
 */
export async function appImageTools(isQuick) {
  const folder = path.join(runtimeFolder, 'appimage-tools');
  const toolFolder = path.join(folder, 'linux-x64');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(toolFolder, { recursive: true });
  mkdirSync(path.join(folder, 'lib/x64'), { recursive: true });
  symlinkSync(systemTool('desktop-file-validate'), path.join(toolFolder, 'desktop-file-validate'));
  const level = isQuick ? ' -Xcompression-level 1' : '';
  const mksquashfs = `#!/bin/sh\nexec ${systemTool('mksquashfs')} "$@"${level}\n`;
  writeFileSync(path.join(toolFolder, 'mksquashfs'), mksquashfs, { mode: 0o755 });
  copyFileSync(await ensureAppImageRuntime(), path.join(folder, 'runtime-x64'));
  return folder;
}

function systemTool(name) {
  const file = outputOf('which', [name]);
  if (file) return file;
  throw new SetupError(
    `${name} is not installed, and an AppImage is made with it.`,
    'Debian: apt-get install squashfs-tools desktop-file-utils',
  );
}
