import { existsSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from './command.mjs';
import { rootFolder } from './platform.mjs';
import { note, SetupError } from './report.mjs';

const isWindows = process.platform === 'win32';
/** As its installers call it. */
export const python = isWindows ? 'python' : 'python3';

/** Where no apt is, nothing is installed for anybody: what is missing is named, with the way to it. */
const programsByGroup = {
  run: [
    {
      command: 'ffmpeg',
      flag: '-version',
      remedy: 'https://ffmpeg.org',
      onWindows: 'winget install Gyan.FFmpeg',
    },
  ],
  build: [
    { command: 'cmake', remedy: 'https://cmake.org', onWindows: 'winget install Kitware.CMake' },
    { command: 'ninja', remedy: 'https://ninja-build.org', onWindows: 'winget install Ninja-build.Ninja' },
    { command: python, remedy: 'https://www.python.org', onWindows: 'winget install Python.Python.3.13' },
    {
      command: 'c++',
      remedy: "a C++20 compiler: Xcode's command line tools, or GCC",
      onWindows: 'winget install BrechtSanders.WinLibs.POSIX.UCRT (GCC; Microsoft’s compiler is untried)',
    },
  ],
  test: [
    {
      command: 'clang-format',
      remedy: 'https://clang.llvm.org',
      onWindows: 'winget install LLVM.LLVM',
    },
  ],
};

/** @throws SetupError naming all that is missing */
export function requirePrograms(groups) {
  if (isWindows) nameRuntime();
  const missing = groups
    .flatMap((group) => programsByGroup[group] ?? [])
    // Windows has files of some names that only open its shop.
    .filter(({ command, flag = '--version' }) => outputOf(command, [flag]) === null);
  if (missing.length === 0) return;
  throw new SetupError(
    `${isWindows ? '' : 'this system has no apt, and '}these programs are missing: ${missing.map(({ command }) => command).join(', ')}.`,
    missing
      .map(({ command, remedy, onWindows }) => `${command}: ${isWindows ? onWindows : remedy}`)
      .join('; ') + (isWindows ? '; then open a new terminal' : ''),
  );
}

/** Whiteline starts without it, and says what it lacks. On Linux npm brings it. */
function nameRuntime() {
  const { NDI_RUNTIME_DIR_V6: v6, NDI_RUNTIME_DIR_V5: v5 } = process.env;
  const places = [v6, v5, path.join(rootFolder, 'node_modules/@grandi/win32-x64')].filter(Boolean);
  if (places.some((place) => existsSync(path.join(place, 'Processing.NDI.Lib.x64.dll')))) return;
  note(
    'ndi',
    'no NDI runtime is known here: install NDI Tools from https://ndi.video/tools, or `npm install --no-save @grandi/win32-x64@2.0.2`',
  );
}
