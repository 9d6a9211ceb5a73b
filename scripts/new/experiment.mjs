import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { camelCase, experimentIds, registries } from '../experiments.mjs';
import { SetupError } from '../setup/report.mjs';

const templateFolder = fileURLToPath(new URL('experiment', import.meta.url));

const usage = 'npm run new -- experiment clock-drift';
/** What a run without an experiment is recorded as; those that are kept as examples have their names too. */
const otherRuns = ['live', 'send', 'watch', 'session'];
const recordedRuns = (root) => readdirSync(path.join(root, 'test-content/runs'));

/** @throws SetupError for an id that is not one, is there already, or would give two things one name */
export function checkedId(root, id) {
  const refuse = (expected, remedy) => {
    throw new SetupError(`Expected ${expected} for ID but received ${id || 'nothing'}.`, remedy);
  };
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(id) || id.length > 40)
    refuse('lower-case words joined by -, 40 characters at most,', usage);
  const standing = readdirSync(experimentsIn(root)).map((name) => name.replace(/\..*/, ''));
  if ([...standing, ...otherRuns, ...recordedRuns(root)].includes(id))
    refuse('an id that is free', 'choose another one, or change what has it');
  const name = camelCase(id);
  if (!isVariable(name) || templates().some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)))
    refuse('a word that the code of an experiment does not use', `add another word: ${usage}`);
  return id;
}

/** Of a module, which reserves more words than a script does. */
function isVariable(name) {
  try {
    new Script(`'use strict'; async () => { let ${name}; };`);
    return true;
  } catch {
    return false;
  }
}

function templates() {
  return readdirSync(templateFolder).map((file) => ({
    file: file.replace(/\.txt$/, ''),
    text: readFileSync(path.join(templateFolder, file), 'utf8'),
  }));
}

const experimentsIn = (root) => path.join(root, 'app/experiments');

/**
 * Makes an experiment that measures one figure, with its tests and its page, and writes the registries. Returns the files, from `root`.
 * @param {string} root the checkout
 */
export function makeExperiment(root, id) {
  const folder = `app/experiments/${id}`;
  const order = 10 + Math.max(0, ...experimentIds(experimentsIn(root)).map((other) => orderOf(root, other)));
  const made = templates().map((template) => {
    const name = template.file.replace(/^experiment\./, `${id}.`);
    const file = name === 'page.md' ? `docs/experiments/${id}.md` : `${folder}/${name}`;
    return [file, filled(template.text, id, order)];
  });
  for (const [file, text] of made) write(path.join(root, file), text);
  const generated = Object.entries(registries(experimentsIn(root))).map(([name, text]) => [
    `app/experiments/${name}`,
    text,
  ]);
  for (const [file, text] of generated) write(path.join(root, file), text);
  return { made: made.map(([file]) => file), generated: generated.map(([file]) => file) };
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function orderOf(root, id) {
  const text = readFileSync(path.join(experimentsIn(root), id, 'declaration.ts'), 'utf8');
  return Number(/^ {2}order: (\d+),$/m.exec(text)?.[1] ?? 0);
}

function filled(text, id, order) {
  const name = camelCase(id);
  const [first = '', ...rest] = id.replaceAll('-', ' ');
  return text
    .replaceAll('NEW-ID', id)
    .replaceAll('NEW_ORDER', String(order))
    .replaceAll('NEW TITLE', [first.toUpperCase(), ...rest].join(''))
    .replaceAll('newName', name)
    .replaceAll('NewName', name[0].toUpperCase() + name.slice(1));
}
