import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { SetupError } from '../setup/report.mjs';

const licenceFile = /^(licen[cs]e|copying)(\.(md|txt))?$/i;
const inCheckout = (...names) => path.join(rootFolder, ...names);

/** Writes what the window shows and every package carries: our licence and notices, and the licences of all that is in it. */
export function writeLicences(folder, ndiIncludeFolder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(inCheckout(name), path.join(folder, name));
  writeFileSync(path.join(folder, 'third-party.txt'), licenceList(thirdParties(ndiIncludeFolder)));
}

/** @param {Array<{name: string, licence: string, text: string}>} parties */
export function licenceList(parties) {
  const heading = [
    'Whiteline contains the following work of others. The licences of Electron and Chromium stand beside the',
    'executable: LICENSE.electron.txt and LICENSES.chromium.html.',
  ];
  const index = parties.map(({ name, licence }) => `  ${name} (${licence})`);
  const texts = parties.map(({ name, text }) => `${'='.repeat(80)}\n${name}\n\n${text.trim()}\n`);
  return [...heading, '', ...index, '', ...texts].join('\n');
}

function thirdParties(ndiIncludeFolder) {
  const bcdec = readFileSync(inCheckout('native/third_party/bcdec/bcdec.h'), 'utf8');
  return [
    ...productionPackages(JSON.parse(readFileSync(inCheckout('package-lock.json'), 'utf8'))),
    {
      name: 'Snappy',
      licence: 'BSD-3-Clause',
      text: readFileSync(inCheckout('native/third_party/snappy/COPYING.notestdata'), 'utf8'),
    },
    {
      name: 'AMWA NMOS JSON Schemas (IS-04, IS-05, IS-09)',
      licence: 'Apache-2.0',
      text: ['NOTICE', 'LICENSE']
        .map((name) => readFileSync(inCheckout('app/nmos/third_party/is-04/v1.3', name), 'utf8'))
        .join('\n'),
    },
    { name: 'bcdec', licence: 'Unlicense', text: commentFrom(bcdec, 'LICENSE:') },
    {
      name: 'NDI SDK headers',
      licence: 'MIT',
      text: headOf(path.join(ndiIncludeFolder, 'Processing.NDI.Lib.h')),
    },
    ...ndiRuntime(),
  ];
}

/** Every npm package that is not for development alone, and is installed on this system. */
function productionPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional)
    .filter(([folder]) => existsSync(inCheckout(folder)) && !isNdiRuntime(folder))
    .map(([folder, { version, license }]) => ({
      name: `${folder.split('node_modules/').pop()} ${version}`,
      licence: license,
      text: licenceText(folder, license),
    }));
}

function licenceText(folder, licence) {
  const file = readdirSync(inCheckout(folder)).find((name) => licenceFile.test(name));
  if (file) return readFileSync(inCheckout(folder, file), 'utf8');
  // Ours is the same text.
  if (licence === 'Apache-2.0') return readFileSync(inCheckout('LICENSE'), 'utf8');
  throw new SetupError(
    `Expected a licence file in ${folder} but it has none (package.json says ${licence}).`,
    'add its licence to scripts/package/licences.mjs, or do without the package',
  );
}

/** Of this npm package only libndi is shipped, whose licence is NDI's own; its parts' lie beside it. */
function ndiRuntime() {
  const folder = `node_modules/@grandi/${process.platform}-${process.arch}`;
  if (!existsSync(inCheckout(folder))) return [];
  const text = ['LICENSE', 'libndi_licenses.txt'].map((name) =>
    readFileSync(inCheckout(folder, name), 'utf8'),
  );
  return [
    {
      name: 'NDI® runtime library (libndi), https://ndi.video',
      licence: 'NDI SDK License Agreement',
      text: text.join('\n\n'),
    },
  ];
}

function isNdiRuntime(folder) {
  return folder.includes('node_modules/@grandi/');
}

/** What stands from the last place of the mark to the end of its comment. */
function commentFrom(source, mark) {
  const start = source.lastIndexOf(mark);
  return source.slice(start, source.indexOf('*/', start));
}

/** The comment that a header begins with. */
function headOf(file) {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith('//'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(start, start + length)
    .map((line) => line.replace(/^\/\/[ *]*/, ''))
    .join('\n');
}
