import os from 'node:os';
import path from 'node:path';
import { makeInFolder } from './build-folder.mjs';
import { outputOf } from './command.mjs';
import { compilerIdentity } from './compiler.mjs';
import { compilerCacheOptions } from './compiler-cache.mjs';
import { headersIdentity } from './headers.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { hashOf, unlessDone } from './stamp.mjs';

const sourceFolder = path.join(rootFolder, 'native');
const buildFolder = path.join(sourceFolder, 'build');
// Helpers of experiments lie beside the addons.
const outputs = ['native/build/Release'];
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
  'native/mixer',
  'native/addon',
  'package-lock.json',
];

/** Builds the native addon when its sources have changed, or the compiler; what is left unchanged inside, CMake knows. */
export async function ensureAddon(ndiIncludeFolder) {
  const optional = optionalLibrary();
  const hash = hashOf([...inputs, ndiIncludeFolder], `${compilerIdentity()}\0${optional}`);
  await unlessDone({ name: 'native', hash, outputs }, ({ isSpoilt }) =>
    step('native', 'building the native addon', (onProgress) => {
      const options = optionsOfCmakeJs(ndiIncludeFolder);
      const command = (...words) => [process.execPath, buildTool, ...words, ...options];
      return makeInFolder({
        sourceFolder,
        folder: buildFolder,
        isKept: !isSpoilt,
        madeBy: [compilerIdentity(), headersIdentity(ndiIncludeFolder), optional, ...options],
        configure: command('configure'),
        build: command('build', '--parallel', String(os.availableParallelism())),
        onLine: onProgress,
      });
    }),
  );
}

/** Fast DDS, with which the helper of an experiment is built: it may have come since the last build, or gone. */
function optionalLibrary() {
  return outputOf('dpkg-query', ['-W', 'libfastrtps-dev']) ?? '';
}

// native/package.json declares a Node-API addon: cmake-js then takes the headers from node-api-headers
// and downloads nothing.
function optionsOfCmakeJs(ndiIncludeFolder) {
  return [
    ...['--directory', sourceFolder, '--out', buildFolder],
    ...['--generator', 'Ninja', '--config', 'Release'],
    `--CDNDI_INCLUDE_DIR=${ndiIncludeFolder}`,
    ...compilerCacheOptions().map((option) => option.replace('-D', '--CD')),
  ];
}
