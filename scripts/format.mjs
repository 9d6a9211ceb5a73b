import { spawnSync } from 'node:child_process';
import { nativeSourceFiles } from './check/native-files.mjs';
import { rootFolder } from './setup/platform.mjs';
import { toolCommand } from './tools.mjs';

const commands = [
  [process.execPath, ...toolCommand('biome', ['check', '--write', '.'])],
  ['clang-format', '-i', ...nativeSourceFiles()],
];

for (const [command, ...commandArguments] of commands) {
  const { status } = spawnSync(command, commandArguments, { cwd: rootFolder, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
