import os from 'node:os';
import path from 'node:path';
import { mustRun, outputOf } from './command.mjs';
import { compilerCacheEnvironment, compilerCacheOptions } from './compiler-cache.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { hashOf, unlessDone } from './stamp.mjs';

const addonFile = path.join(rootFolder, 'native/build/Release/whiteline.node');
const buildTool = path.join(rootFolder, 'node_modules/cmake-js/bin/cmake-js');
const inputs = [
  'native/CMakeLists.txt',
  'native/check_symbols.cmake',
  'native/third_party',
  'native/package.json',
  'native/base',
  'native/media',
  'native/transports',
  'native/content',
  'native/helpers',
  'native/addon',
  'package-lock.json',
];

/** Builds the native addon when its sources have changed; what is left unchanged inside, CMake knows. */
export async function ensureAddon(ndiIncludeFolder) {
  const hash = hashOf(inputs, `${ndiIncludeFolder}\0${optionalLibrary()}`);
  const work = { name: 'native', hash, output: addonFile };
  await unlessDone(work, () =>
    step('native', 'building the native addon', async (onProgress) => {
      for (const command of ['configure', 'build']) await runCmakeJs(command, ndiIncludeFolder, onProgress);
    }),
  );
}

/** Fast DDS, with which the helper of an experiment is built: it may have come since the last build, or gone. */
function optionalLibrary() {
  return outputOf('sh', ['-c', 'dpkg-query -W libfastrtps-dev 2>/dev/null']) ?? '';
}

// native/package.json declares a Node-API addon: cmake-js then takes the headers from node-api-headers
// and downloads nothing.
async function runCmakeJs(command, ndiIncludeFolder, onProgress) {
  const options = [
    ...['--directory', path.join(rootFolder, 'native'), '--out', path.join(rootFolder, 'native/build')],
    ...['--generator', 'Ninja', '--config', 'Release', '--parallel', String(os.availableParallelism())],
    `--CDNDI_INCLUDE_DIR=${ndiIncludeFolder}`,
    ...compilerCacheOptions().map((option) => option.replace('-D', '--CD')),
  ];
  await mustRun(process.execPath, [buildTool, command, ...options], {
    failure: 'the native addon could not be built',
    onLine: onProgress,
    env: compilerCacheEnvironment(),
  });
}
