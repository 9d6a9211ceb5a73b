import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { note } from '../../setup/report.mjs';
import { counted, sumOf } from '../counts.mjs';
import { failureOf, failureText } from '../failures.mjs';
import { testFuses } from '../fuses.mjs';

const limitMs = 240_000;
/** As installers name it: with a blank. */
const place = 'Program Files/Whiteline';

const needed = [
  ...['whiteline.node', 'whiteline-content.node', 'whiteline-machine.node'].map((name) => `native/${name}`),
  ...['ndi/Processing.NDI.Lib.x64.dll', 'ndi/libndi_licenses.txt'],
  ...['app.asar', 'bin/whiteline.cmd', 'bin/checklist.cmd', 'licences/third-party.txt'],
];

/** The package as its folder: what is in it, its fuses, and its command, which is Electron as Node. A window does not open under Wine 8. */
export async function testPackage(wine, folder) {
  const failures = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check({ wine, folder });
    } catch (error) {
      failures.push(failureOf(`Windows package: ${name}`, error.message));
    }
  }
  for (const failure of failures) note('package', failureText(failure));
  const passed = Object.keys(checks).length - failures.length;
  return sumOf([testFuses([path.join(folder, 'Whiteline.exe')]), counted(passed, failures)]);
}

const checks = {
  async 'brings what it needs, and nothing of Linux'({ folder }) {
    for (const name of needed)
      assert.ok(existsSync(path.join(folder, 'resources', name)), `no resources/${name}`);
    const ofLinux = readdirSync(folder, { recursive: true }).filter((name) => isElf(path.join(folder, name)));
    assert.deepEqual(ofLinux, []);
  },

  async 'its executable is ours, and knows its archive'({ folder }) {
    const executable = readFileSync(path.join(folder, 'Whiteline.exe'));
    // Electron comes out of another app.
    for (const name of ['Voxel51', 'FiftyOne']) assert.ok(!executable.includes(name, 0, 'utf16le'), name);
    const archive = readFileSync(path.join(folder, 'resources/app.asar'));
    const header = archive.subarray(16, 16 + archive.readUInt32LE(12));
    const hash = createHash('sha256').update(header).digest('hex');
    assert.ok(executable.includes(`"alg":"SHA256","value":"${hash}"`), `${hash} is not in it`);
  },

  async 'its checklist leaves what is sent back'({ wine, folder }) {
    cpSync(folder, wine.file(place), { recursive: true });
    const command = `${wine.windowsPath(place)}\\resources\\bin\\checklist.cmd`;
    const words = ['cmd', '/c', command, wine.windowsPath('result')];
    const { output } = await wine.start(words, { name: 'checklist', limitMs }).ended;
    const left = (name) => readFileSync(wine.file(`result/${name}`), 'utf8');
    assert.match(left('doctor.txt'), /native addon: loaded/, output);
    assert.match(
      left('doctor.txt'),
      /NDI runtime: .* from C:\\whiteline\\Program Files\\Whiteline\\resources\\ndi\\/,
    );
    expectEqualCounts(JSON.parse(left('selftest.json')));
    const { runs } = JSON.parse(left('session/session.json'));
    assert.deepEqual(
      runs.map(({ experiment }) => experiment),
      ['quiet', 'stream-load'],
    );
    for (const { folder: run } of runs) assert.ok(left(`session/${run}/rows.jsonl`).length > 0, run);
    note('windows', 'not tested here: the packing of the checklist’s file, since Wine has no tar');
  },
};

/** Of the self-test: each fault is counted as it was put in, and as the receiver's log has it. */
function expectEqualCounts({ result, reason, verbs, checks: ofLog }) {
  assert.ok(verbs.length >= 16 && ofLog.length > 0, reason);
  for (const { equal, ...named } of [...verbs, ...ofLog]) assert.ok(equal, JSON.stringify(named));
  // A machine that is too busy may say so; counting wrong it may not.
  if (result !== 'EQUAL') assert.match(reason, /this machine itself lost \d+ of 600 frames/);
}

const elf = '\x7fELF';

function isElf(file) {
  if (!statSync(file).isFile()) return false;
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(elf.length);
    readSync(descriptor, head, 0, head.length, 0);
    return head.toString('latin1') === elf;
  } finally {
    closeSync(descriptor);
  }
}
