import path from 'node:path';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { buildWindowsFolder } from '../package/build.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { note, sideBySide, step } from '../setup/report.mjs';
import { ensureWindowsParts } from '../setup/windows.mjs';
import { countsOfGoogleTest } from './core.mjs';
import { countReport, sumOf } from './counts.mjs';
import { testCommandLine } from './windows/command-line.mjs';
import { testPackage } from './windows/package.mjs';
import { inWine } from './windows/wine.mjs';
import { words } from './words.mjs';

const coreLimitMs = 300_000;
/** Of these, Windows would need an ffmpeg, or a quiet machine, and Wine proves nothing of time. */
const leftOut = [
  '*OnQuietMachine',
  '*AgainstFfmpeg.*',
  '*HapBesideFfmpeg.*',
  'MovieIndex.AgreesWithFfmpegOnItsFiles',
  'MovieIndex.RefusesFfmpegsFragmentedFilesAndOtherCodecs',
];

/**
 * What is built here for Windows, run under Wine without a window, beside each other: the core's tests, the command line with
 * real NDI, and the package. Most of their time they wait. Words that are no flags of the core's tests name checks of the command
 * line, and only these are run.
 */
export async function runWindowsTests() {
  await ensureWindowsParts();
  await step('windows', 'building native/build-windows', (onProgress) => buildNative('windows', onProgress));
  note('windows', 'not tested here: the window and the installer, which need Windows');
  const names = words.filter((word) => !word.startsWith('--'));
  if (names.length > 0) return inWine((wine) => testCommandLine(wine, names));
  const counts = [];
  const lane = async (tests) => counts.push(await tests);
  await sideBySide(
    lane(inWine(testCore, { isInTime: false })),
    lane(inWine((wine) => testCommandLine(wine))),
    lane(buildWindowsFolder().then((folder) => inWine((wine) => testPackage(wine, folder)))),
  );
  return sumOf(counts);
}

/** The tests know the checkout's path, which is one of drive Z:. */
function testCore(wine) {
  return countReport(
    'windows.json',
    async (reportFile) => {
      const flags = [
        `--gtest_filter=-${leftOut.join(':')}`,
        '--gtest_brief=1',
        `--gtest_output=json:Z:${reportFile}`,
      ];
      const program = path.join(nativeBuildFolder('windows'), 'whiteline_core_tests.exe');
      const { status, signal, output } = await wine.start([program, ...flags, ...words], {
        name: 'core',
        cwd: rootFolder,
        limitMs: coreLimitMs,
      }).ended;
      process.stdout.write(output);
      if (signal) process.stdout.write(`ended by ${signal}; tests may take ${coreLimitMs / 1000} s\n`);
      return status ?? 1;
    },
    countsOfGoogleTest,
  );
}
