import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { experimentIds } from '../../experiments.mjs';
import { rootFolder } from '../../setup/platform.mjs';

/**
 * Experiments with small parameters, out of `disturbed.mjs` of their folders, and a remote sender with its receiver. `words` and
 * `commands` are arguments of `whiteline`; all commands begin together, the last one's folder is judged, and `seconds` is how long that
 * takes undisturbed. `rate` is frames a second. `roles` are the processes that the matrix disturbs here, one by one; the same in another
 * experiment is not repeated. Those that are `early` run at the beginning alone.
 */

const folder = path.join(rootFolder, 'app/experiments');
const files = experimentIds(folder)
  .map((id) => path.join(folder, id, 'disturbed.mjs'))
  .filter(existsSync);
const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));

function run({ words, ...experiment }) {
  return { tools: [], ...experiment, commandsOf: (name, random) => [['run', ...words(name, random)]] };
}

const sendAndWatch = {
  ...{ id: 'send and watch', seconds: 13, tools: [], rate: 30 },
  roles: ['engine', 'receiving', 'remote engine', 'remote sending'],
  commandsOf: (name) => [
    ['send', '--format', '320x180@30', '--name', name, '--duration', '30s'],
    ['watch', `${name} 1`, '--duration', '10s', '--capture-logs'],
  ],
};

export const experiments = [...modules.flatMap(({ disturbed }) => disturbed.map(run)), sendAndWatch];
