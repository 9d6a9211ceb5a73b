import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './setup/platform.mjs';

const file = path.join(rootFolder, 'app/protocol/v8-options.json');

/** Of registries, nodes and a fleet's server, which serve alone: they keep V8's own. */
const withoutEngine = ['nmos', 'fleet'];

/** For the `whiteline` command; docs/measurement.md says why. */
export function v8OptionsOf(command) {
  return withoutEngine.includes(command) ? [] : JSON.parse(readFileSync(file, 'utf8')).engine;
}
