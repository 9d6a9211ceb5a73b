#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

// As much of fpm (https://fpm.readthedocs.io) as electron-builder asks for to make a .deb, by dpkg-deb: fpm comes from
// where builds may not reach, dpkg-deb is on every Debian. electron-builder is pointed here by CUSTOM_FPM_PATH.

const one = { type: 'string' };
const several = { type: 'string', multiple: true, default: [] };
const flags = {
  s: { ...one, short: 's' },
  t: { ...one, short: 't' },
  d: { ...several, short: 'd' },
  force: { type: 'boolean' },
  name: one,
  version: one,
  architecture: one,
  maintainer: one,
  description: one,
  category: one,
  package: one,
  'after-install': one,
  'after-remove': one,
  'deb-priority': one,
  'deb-recommends': several,
  'deb-compression': one,
  // Not fields of Debian's, or not true yet (the address).
  vendor: one,
  license: one,
  url: one,
};
const compressors = { gz: 'gzip', xz: 'xz', zst: 'zstd' };

/** Makes the .deb that fpm's arguments describe. */
export function makePackage(fpmArguments) {
  const { values, positionals } = parseArgs({ args: fpmArguments, options: flags, allowPositionals: true });
  if (values.s !== 'dir' || values.t !== 'deb')
    throw new Error(`Expected -s dir -t deb but received -s ${values.s} -t ${values.t}`);
  const root = mkdtempSync(path.join(tmpdir(), 'whiteline-deb-'));
  try {
    for (const mapping of positionals) place(root, mapping);
    makeReadable(root);
    writeControl(root, values);
    const compressor = compressors[values['deb-compression']] ?? values['deb-compression'];
    mustRun('dpkg-deb', ['--root-owner-group', `-Z${compressor}`, '--build', root, values.package]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** `source=target`; a source that ends in a slash stands for what is in it. */
function place(root, mapping) {
  const [source, target] = mapping.split('=');
  const destination = path.join(root, target);
  mkdirSync(path.dirname(destination), { recursive: true });
  cpSync(source, destination, { recursive: true, verbatimSymlinks: true });
}

/** Whichever user built it, everybody reads it and only root changes it. */
function makeReadable(folder) {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const status = lstatSync(file);
    if (status.isDirectory()) makeReadable(file);
    else if (status.isFile()) chmodSync(file, status.mode & 0o111 ? 0o755 : 0o644);
  }
}

function writeControl(root, values) {
  const folder = path.join(root, 'DEBIAN');
  const sizeKiB = installedKiB(root);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'control'), controlText(values, sizeKiB));
  for (const [script, name] of [
    ['after-install', 'postinst'],
    ['after-remove', 'postrm'],
  ]) {
    if (!values[script]) continue;
    cpSync(values[script], path.join(folder, name));
    chmodSync(path.join(folder, name), 0o755);
  }
}

export function controlText(values, sizeKiB) {
  const fields = {
    Package: values.name,
    Version: values.version,
    Architecture: values.architecture,
    Maintainer: values.maintainer,
    'Installed-Size': sizeKiB,
    Depends: values.d.join(', '),
    Recommends: values['deb-recommends'].join(', '),
    Section: values.category,
    Priority: values['deb-priority'],
    Description: description(values.description),
  };
  return Object.entries(fields)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** The synopsis, then the long text, each line set in, a dot for an empty one. */
function description(text) {
  const [synopsis, ...lines] = text.trim().split('\n');
  return [synopsis.trim(), ...lines.map((line) => ` ${line.trim() || '.'}`)].join('\n');
}

function installedKiB(entry) {
  const status = lstatSync(entry);
  if (!status.isDirectory()) return Math.ceil(status.size / 1024);
  return readdirSync(entry).reduce((sum, name) => sum + installedKiB(path.join(entry, name)), 1);
}

function mustRun(command, commandArguments) {
  const { status, error } = spawnSync(command, commandArguments, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${error?.message ?? status}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  makePackage(process.argv.slice(2));
