import { outputOf } from './command.mjs';
import { rootFolder } from './platform.mjs';

/**
 * CMake's options for a build through ccache, where it is installed: what one checkout compiled serves every other.
 * A precompiled header would spoil that.
 */
export function compilerCacheOptions() {
  return outputOf('ccache', ['--version']) === null ? [] : ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'];
}

export function compilerCacheEnvironment() {
  return {
    CCACHE_BASEDIR: rootFolder,
    // Debug information names the checkout that compiled it.
    CCACHE_NOHASHDIR: '1',
    ...process.env,
  };
}
