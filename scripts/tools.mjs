import path from 'node:path';
import { run } from './setup/command.mjs';
import { rootFolder } from './setup/platform.mjs';

const entryByTool = {
  biome: '@biomejs/biome/bin/biome',
  'electron-builder': 'electron-builder/cli.js',
  playwright: '@playwright/test/cli.js',
  tsc: 'typescript/bin/tsc',
  vitest: 'vitest/vitest.mjs',
};

/** The arguments for Node that start one of the tools from npm; needs no shell, so it works on any system. */
export function toolCommand(name, toolArguments) {
  return [path.join(rootFolder, 'node_modules', entryByTool[name]), ...toolArguments];
}

/** @param {string} [node] the Node that runs it; by default the one that runs this */
export function runTool(name, toolArguments, options, node = process.execPath) {
  return run(node, toolCommand(name, toolArguments), options);
}
