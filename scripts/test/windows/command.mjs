import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nativeBuildFolder } from '../../native-build.mjs';
import { rootFolder } from '../../setup/platform.mjs';
import { windowsParts } from '../../setup/windows.mjs';

export const limitMs = 90_000;
/** The system ends stream hosts with their command: they are given no time to end by themselves, which took libndi 10 s. */
const endMs = 5_000;

/** Exit codes of the command: docs/command-line.md. */
export const exits = { pass: 0, warn: 0, fail: 1, environment: 3, invalid: 5 };

/** What a package has of it, and Node in Electron's place. */
export function install(wine) {
  for (const folder of ['native', 'dist', 'ndi', 'test-content'])
    mkdirSync(wine.file(folder), { recursive: true });
  for (const folder of ['dist/app', 'dist/report', 'dist/renderer'])
    cpSync(path.join(rootFolder, folder), wine.file(folder), { recursive: true });
  for (const name of ['package.json', 'test-content/manifest.yaml'])
    copyFileSync(path.join(rootFolder, name), wine.file(name));
  for (const name of ['whiteline.node', 'whiteline-content.node', 'whiteline-machine.node'])
    copyFileSync(path.join(nativeBuildFolder('windows'), name), wine.file(`native/${name}`));
  copyFileSync(path.join(nativeBuildFolder('windows'), 'hold_file.exe'), wine.file('hold_file.exe'));
  copyFileSync(windowsParts.node, wine.file('node.exe'));
  copyFileSync(windowsParts.ndi, wine.file(`ndi/${path.basename(windowsParts.ndi)}`));
}

/** This machine was too busy for a check to say anything of the code; it is named in the summary. */
export class NotMeasured extends Error {}

export class CommandLine {
  constructor(wine, name) {
    this.wine = wine;
    this.name = name;
    this.ndiName = name;
    this.started = 0;
  }

  start(words) {
    this.started += 1;
    const command = [this.wine.windowsPath('node.exe'), 'dist/app/cli.cjs', ...words];
    return this.wine.start(command, {
      name: `${this.name}-${this.started}`,
      variables: { NDI_RUNTIME_DIR_V6: this.wine.windowsPath('ndi') },
      limitMs,
    });
  }

  async run(words, ...expected) {
    const { status, signal, output } = await this.start(words).ended;
    const how = signal ? `was ended by ${signal}: it may take ${limitMs / 1000} s` : `ended with ${status}`;
    const ending = `whiteline ${words.join(' ')} ${how}:\n${output}`;
    assert.ok(expected.includes(signal ?? status), ending);
    return output;
  }

  /** While it sends: the work is given the sender's name in NDI. Then the sender is killed, and its stream hosts have to end. */
  async whileSending(work) {
    const sender = this.start(['send', '--format', '640x360@30', '--name', this.ndiName]);
    try {
      let listed = '';
      const source = await eventually(
        async () => {
          // On a busy machine the process that lists them may not have begun in time.
          listed = await this.run(['sources', '--json'], exits.pass, exits.environment);
          return linesOf(listed).find(isOf(this.ndiName));
        },
        () => `no NDI source ${this.ndiName} but\n${listed}\nIts sender says:\n${sender.outputSoFar()}`,
      );
      return await work(source.name);
    } finally {
      sender.kill();
      await sender.ended;
      // A sender that is left would be in the next one's way.
      await eventually(
        async () => hostsOf(this.wine).length === 0,
        'stream hosts outlive their command',
        endMs,
      );
    }
  }
}

const isOf =
  (name) =>
  ({ name: known }) =>
    known.includes(`(${name} 1)`);

/** Guards that a machine breaks which is busy with other work, and that say so. */
const busyCodes = ['others-busy', 'process-starved', 'process-stopped', 'pacing-late', 'no-load-sample'];
export const isOfThisMachine = (reason) => reason.some(({ code }) => busyCodes.includes(code));

/** Every frame is somewhere. */
export function expectSums(figures) {
  assert.ok(figures.framesReceived > 0, JSON.stringify(figures));
  assert.equal(figures.framesScheduled, figures.framesSubmitted + figures.framesSenderMissed);
  assert.equal(figures.framesSubmitted, figures.framesReceived + figures.framesDropped);
}

/** Stream hosts that run in this Wine: its processes are those of this system. */
export function hostsOf({ environment }) {
  const mark = `WINEPREFIX=${environment.WINEPREFIX}\0`;
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      return words.includes('streamhost.cjs') && readFileSync(`/proc/${id}/environ`, 'utf8').includes(mark);
    } catch {
      // It ended meanwhile.
      return false;
    }
  });
}

/** Lines of JSON among others. */
export function linesOf(output) {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))
    .map((line) => JSON.parse(line));
}

export async function eventually(condition, failure, patienceMs = 30_000) {
  const endsMs = Date.now() + patienceMs;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > endsMs) throw new Error(typeof failure === 'function' ? failure() : failure);
    await sleep(250);
  }
}
