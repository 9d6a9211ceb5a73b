import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { note } from '../setup/report.mjs';
import { counted } from './counts.mjs';
import { failureOf } from './failures.mjs';

// How Electron's executable holds them: this text, the layout's version, their number, and a digit for each.
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const layoutVersion = 1;
const order = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
];
const expected = {
  runAsNode: true,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  // Known on macOS and Windows only.
  enableEmbeddedAsarIntegrityValidation: false,
  onlyLoadAppFromAsar: true,
};

/** Asks each packaged executable for its fuses, as they are handed out: one test each. */
export function testFuses(executables) {
  const failures = executables.flatMap((executable) => {
    const fuses = fusesOf(executable);
    const different = order
      .filter((name) => fuses[name] !== expected[name])
      .map((name) => `Expected ${expected[name]} for ${name} but received ${fuses[name]}`);
    return different.length > 0 ? [failureOf(`fuses of ${executable}`, different.join('\n'))] : [];
  });
  for (const failure of failures) note('package', failure);
  return counted(executables.length - failures.length, failures);
}

/** Playwright drives Electron through the inspector: the unpacked copy that it starts has to allow that again. */
export function allowInspector(executable) {
  const place = placeOf(readFileSync(executable)) + order.indexOf('enableNodeCliInspectArguments');
  const file = openSync(executable, 'r+');
  writeSync(file, '1', place);
  closeSync(file);
}

function fusesOf(executable) {
  const bytes = readFileSync(executable);
  const place = placeOf(bytes);
  return Object.fromEntries(order.map((name, index) => [name, bytes[place + index] === '1'.charCodeAt(0)]));
}

function placeOf(bytes) {
  const version = bytes.indexOf(sentinel) + sentinel.length;
  if (version < sentinel.length || bytes[version] !== layoutVersion || bytes[version + 1] < order.length)
    throw new Error('This executable holds no fuses that we know: see the releases of @electron/fuses.');
  return version + 2;
}
