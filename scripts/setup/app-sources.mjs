import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './platform.mjs';
import { hashOf } from './stamp.mjs';

const inputs = [
  ...['app', 'renderer', 'native/addon', 'scripts/build.mjs', 'package.json', 'package-lock.json'],
  ...['scripts/package/licences.mjs', 'native/third_party', 'LICENSE', 'NOTICE'],
  ...[
    'tsconfig.json',
    'tsconfig.base.json',
    'tsconfig.app.json',
    'tsconfig.testkit.json',
    'tsconfig.renderer.json',
  ],
];
const isOfTests = (file) => /\.(test|fixture)\.tsx?$|^(app|renderer)\/testing\//.test(file);
const noteFile = path.join(rootFolder, 'dist/sources');

/** All that is bundled, relative to the checkout. */
export function appSourceFiles() {
  return inputs.flatMap(filesIn).filter((file) => !isOfTests(file));
}

export function appSourcesHash() {
  return hashOf(appSourceFiles());
}

/** After a build: `dist` is of these sources. */
export function noteAppSources(hash) {
  writeFileSync(noteFile, hash);
}

/** Whether `dist` is that of the sources as they are. */
export function isAppFresh(note = noteFile) {
  return existsSync(note) && readFileSync(note, 'utf8') === appSourcesHash();
}

function filesIn(input) {
  const file = path.join(rootFolder, input);
  if (!statSync(file).isDirectory()) return [input];
  return readdirSync(file)
    .sort()
    .flatMap((name) => filesIn(`${input}/${name}`));
}
