import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildPackages } from '../package/build.mjs';
import { mustRun } from '../setup/command.mjs';
import { note, step } from '../setup/report.mjs';
import { oneFailed, sumOf } from './counts.mjs';
import { allowInspector, testFuses } from './fuses.mjs';
import { testInstalledDeb } from './installed-deb.mjs';
import { runPlaywright } from './playwright.mjs';

/** Makes the packages of this system, unpacks them away from the checkout, and starts what is in them. */
export async function runPackageTests(environment) {
  if (process.platform !== 'linux') {
    return oneFailed(
      'NSIS and dmg are configured and untested: what this suite starts is an AppImage and a .deb',
    );
  }
  note(
    'package',
    'not made here: NSIS (needs Windows) and dmg (needs macOS); both are configured and untested',
  );
  const files = await buildPackages(environment, { isQuick: true });
  // Not below the checkout, whose addon and modules would be found too.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whiteline-packages-'));
  try {
    const variables = await step('package', 'unpacking the packages', () => unpack(files, folder));
    const executables = [
      path.join(variables.WHITELINE_DEB_ROOT, 'opt/Whiteline/whiteline-console'),
      path.join(variables.WHITELINE_APPIMAGE_ROOT, 'whiteline-console'),
    ];
    const fuses = testFuses(executables);
    for (const executable of executables) allowInspector(executable);
    return sumOf([
      fuses,
      await testInstalledDeb(fileWith(files, '.deb')),
      await runPlaywright('package', environment.electron.executable, { variables }),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpack(files, folder) {
  const debRoot = path.join(folder, 'deb');
  const appImageRoot = path.join(folder, 'appimage');
  await mustRun('dpkg-deb', ['--extract', fileWith(files, '.deb'), debRoot], {
    failure: 'the .deb did not unpack',
  });
  // Needs no FUSE, unlike running the image.
  await mustRun(fileWith(files, '.AppImage'), ['--appimage-extract'], {
    failure: 'the AppImage did not unpack',
    cwd: folder,
  });
  renameSync(path.join(folder, 'squashfs-root'), appImageRoot);
  // They are started as an ordinary user.
  await mustRun('chmod', ['-R', 'a+rX', folder], { failure: 'the packages could not be made readable' });
  return { WHITELINE_DEB_ROOT: debRoot, WHITELINE_APPIMAGE_ROOT: appImageRoot };
}

function fileWith(files, ending) {
  return files.find((file) => file.endsWith(ending));
}
