import os from 'node:os';
import path from 'node:path';
import { makeInFolder } from './setup/build-folder.mjs';
import { compilerIdentity } from './setup/compiler.mjs';
import { compilerCacheOptions } from './setup/compiler-cache.mjs';
import { addonHeaders, headersIdentity } from './setup/headers.mjs';
import { ensureNdiHeaders } from './setup/ndi.mjs';
import { rootFolder } from './setup/platform.mjs';
import { mingw, windowsParts } from './setup/windows.mjs';

const sourceFolder = path.join(rootFolder, 'native');
const compilerOption = '-DCMAKE_CXX_COMPILER=';

// What is built of native/ by plain CMake, each kind in a folder of its own that is kept between runs.
// Sanitized code is built at -O1 with its asserts on: it reports clearer, and compiles in half the time. The fuzz targets
// are part of the build with the address sanitizer, and the addon of both: they need the same core.
const withAddons = `-DCMAKE_JS_INC=${addonHeaders.map((folder) => path.join(rootFolder, folder)).join(';')}`;
const sanitized = [
  ...['-DWHITELINE_TESTS=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1'],
  withAddons,
];
const optionsByKind = {
  'test-plain': ['-DWHITELINE_TESTS=ON'],
  'test-asan': [
    ...[...sanitized, '-DWHITELINE_SANITIZE=address;undefined'],
    ...['-DWHITELINE_FUZZ=ON', `${compilerOption}clang++`],
  ],
  'test-tsan': [...sanitized, '-DWHITELINE_SANITIZE=thread'],
  bench: ['-DWHITELINE_BENCH=ON'],
  // By MinGW-w64, to run under Wine.
  windows: [
    ...['-DWHITELINE_TESTS=ON', withAddons, `-DWHITELINE_GOOGLETEST=${windowsParts.googletest}`],
    `-DCMAKE_TOOLCHAIN_FILE=${path.join(sourceFolder, 'windows.cmake')}`,
    ...[`${compilerOption}${mingw}`, `-DCMAKE_CXX_FLAGS=-isystem ${windowsParts.include}`],
  ],
  // Only configured: clang-tidy reads the compiler command of each source.
  tidy: ['-DWHITELINE_UNITY=OFF'],
};

export function nativeBuildFolder(kind) {
  return path.join(sourceFolder, `build-${kind}`);
}

/** For what reads the commands of the compiler, and needs nothing built. */
export async function configureNativeBuild(kind) {
  await makeInFolder(await workOf(kind));
}

/** Configures and builds; throws with the compiler's first words when it does not build. */
export async function buildNative(kind, onLine) {
  const work = await workOf(kind);
  const build = ['cmake', '--build', work.folder, '--parallel', String(os.availableParallelism())];
  await makeInFolder({ ...work, build, onLine });
}

async function workOf(kind) {
  const folder = nativeBuildFolder(kind);
  const ndiIncludeFolder = await ensureNdiHeaders();
  const options = [
    ...['-G', 'Ninja', `-DNDI_INCLUDE_DIR=${ndiIncludeFolder}`],
    ...[...compilerCacheOptions(), ...optionsByKind[kind]],
  ];
  const compiler = options.find((option) => option.startsWith(compilerOption))?.slice(compilerOption.length);
  return {
    sourceFolder,
    folder,
    madeBy: [compilerIdentity(compiler), headersIdentity(ndiIncludeFolder), ...options],
    configure: ['cmake', '-S', sourceFolder, '-B', folder, ...options],
  };
}
