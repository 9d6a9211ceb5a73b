import { outputOf } from './command.mjs';

/** What compiles here, in words: anything that is built was built by it, or has to be built again. */
export function compilerIdentity(command = process.env.CXX || 'c++') {
  const flags = ['CXXFLAGS', 'LDFLAGS'].map((name) => `${name}=${process.env[name] ?? ''}`);
  return [command, outputOf(command, ['--version']) ?? '', ...flags].join('\n');
}
