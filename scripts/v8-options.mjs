import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './setup/platform.mjs';

const file = path.join(rootFolder, 'app/protocol/v8-options.json');

/** For the `whiteline` command; docs/measurement.md says why. A registry or node that serves alone keeps V8's own. */
export function v8OptionsOf(command) {
  return command === 'nmos' ? [] : JSON.parse(readFileSync(file, 'utf8')).engine;
}
