import { readFileSync } from 'node:fs';
import path from 'node:path';

// How Electron's executable holds its fuses: this text, the layout's version, their number, and a digit for each.
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const layoutVersion = 1;
/** In the order of the wire, which grows at its end: Electron 22 has seven of them, Electron 45 all nine. */
const order = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
  'wasmTrapHandlers',
];

/** What electron-builder.yml cannot set: the builder refuses a fuse that an older Electron lacks. */
const ofNewerElectrons = { grantFileProtocolExtraPrivileges: false };

/** The builder's flags for the fuses that this Electron has beside those of electron-builder.yml. */
export function fuseFlags(executable) {
  const known = fusesOf(executable);
  return Object.entries(ofNewerElectrons)
    .filter(([name]) => name in known)
    .map(([name, value]) => `-c.electronFuses.${name}=${value}`);
}

/** Those that this executable has: true if one is on. */
export function fusesOf(executable) {
  const { bytes, start, count } = wireOf(executable);
  const names = order.slice(0, count);
  return Object.fromEntries(names.map((name, index) => [name, bytes[start + index] === '1'.charCodeAt(0)]));
}

/** Where the digit of this fuse stands in the executable. */
export function placeOfFuse(executable, name) {
  return wireOf(executable).start + order.indexOf(name);
}

function wireOf(executable) {
  const bytes = readFileSync(fuseFile(executable));
  const version = bytes.indexOf(sentinel) + sentinel.length;
  const count = bytes[version + 1];
  if (version < sentinel.length || bytes[version] !== layoutVersion || count > order.length)
    throw new Error(`${executable} holds no fuses that we know: see the releases of @electron/fuses.`);
  return { bytes, start: version + 2, count };
}

/** On macOS (untested) the executable is a few lines, and Electron itself stands in a framework beside it. */
function fuseFile(executable) {
  const [bundle, inside] = executable.split('/Contents/MacOS/');
  if (inside === undefined) return executable;
  return path.join(bundle, 'Contents/Frameworks/Electron Framework.framework/Electron Framework');
}
