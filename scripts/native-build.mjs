import os from 'node:os';
import path from 'node:path';
import { mustRun } from './setup/command.mjs';
import { compilerCacheEnvironment, compilerCacheOptions } from './setup/compiler-cache.mjs';
import { ensureNdiHeaders } from './setup/ndi.mjs';
import { rootFolder } from './setup/platform.mjs';
import { SetupError } from './setup/report.mjs';

// What is built of native/ by plain CMake, each kind in a folder of its own that is kept between runs.
// Sanitized code is built at -O1 with its asserts on: it reports clearer, and compiles in half the time. The fuzz targets
// are part of the build with the address sanitizer, and the addon of both: they need the same core.
const addonHeaders = ['node-api-headers/include', 'node-addon-api'].map((folder) =>
  path.join(rootFolder, 'node_modules', folder),
);
const sanitized = [
  ...['-DWHITELINE_TESTS=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1'],
  `-DCMAKE_JS_INC=${addonHeaders.join(';')}`,
];
const optionsByKind = {
  'test-plain': ['-DWHITELINE_TESTS=ON'],
  'test-asan': [
    ...[...sanitized, '-DWHITELINE_SANITIZE=address;undefined'],
    ...['-DWHITELINE_FUZZ=ON', '-DCMAKE_CXX_COMPILER=clang++'],
  ],
  'test-tsan': [...sanitized, '-DWHITELINE_SANITIZE=thread'],
  bench: ['-DWHITELINE_BENCH=ON'],
  // Only configured: clang-tidy reads the compiler command of each source.
  tidy: ['-DWHITELINE_UNITY=OFF'],
};

export function nativeBuildFolder(kind) {
  return path.join(rootFolder, 'native', `build-${kind}`);
}

export async function configureNativeBuild(kind) {
  const includeFolder = await ensureNdiHeaders();
  const folders = ['-S', path.join(rootFolder, 'native'), '-B', nativeBuildFolder(kind)];
  await mustRun(
    'cmake',
    [
      ...[...folders, '-G', 'Ninja', `-DNDI_INCLUDE_DIR=${includeFolder}`],
      ...[...compilerCacheOptions(), ...optionsByKind[kind]],
    ],
    { failure: `native/build-${kind} could not be configured` },
  );
}

/** Configures and builds; throws with the compiler's first words when it does not build. */
export async function buildNative(kind, onLine) {
  await configureNativeBuild(kind);
  const output = [];
  const buildArguments = [
    '--build',
    nativeBuildFolder(kind),
    '--parallel',
    String(os.availableParallelism()),
  ];
  try {
    await mustRun('cmake', buildArguments, {
      failure: `native/build-${kind} does not build`,
      env: compilerCacheEnvironment(),
      onLine: (line) => {
        output.push(line);
        onLine?.(line);
      },
    });
  } catch (error) {
    const firstError = output.find((line) => /\berror:/.test(line));
    throw firstError ? new SetupError(`${firstError}\n${error.message}`, error.remedy) : error;
  }
}
