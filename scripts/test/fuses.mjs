import { closeSync, openSync, writeSync } from 'node:fs';
import { fusesOf, placeOfFuse } from '../package/fuses.mjs';
import { note } from '../setup/report.mjs';
import { counted } from './counts.mjs';
import { failureOf, failureText } from './failures.mjs';

/** Of each fuse that a console may have; the one of WebAssembly stays as Electron sets it. */
const expected = {
  runAsNode: true,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

/** Asks each packaged executable for its fuses, as they are handed out: one test each. */
export function testFuses(executables) {
  const failures = executables.flatMap((executable) => {
    const different = Object.entries(fusesOf(executable))
      .filter(([name, value]) => name in expected && value !== expected[name])
      .map(([name, value]) => `Expected ${expected[name]} for ${name} but received ${value}`);
    return different.length > 0 ? [failureOf(`fuses of ${executable}`, different.join('\n'))] : [];
  });
  for (const failure of failures) note('package', failureText(failure));
  return counted(executables.length - failures.length, failures);
}

/** Playwright drives Electron through the inspector: the unpacked copy that it starts has to allow that again. */
export function allowInspector(executable) {
  const place = placeOfFuse(executable, 'enableNodeCliInspectArguments');
  const file = openSync(executable, 'r+');
  writeSync(file, '1', place);
  closeSync(file);
}
