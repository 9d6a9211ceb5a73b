import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../../setup/platform.mjs';
import { counted } from '../counts.mjs';
import { failureOf } from '../failures.mjs';
import {
  CommandLine,
  eventually,
  exits,
  expectSums,
  hostsOf,
  install,
  isOfThisMachine,
  limitMs,
  linesOf,
  NotMeasured,
} from './command.mjs';
import { fleetChecks } from './fleet.mjs';
import { servedChecks } from './served.mjs';
import { surroundingChecks } from './surroundings.mjs';

/** Longer than the 260 characters that Windows took of old, with whatever an operator writes. */
const longName = [
  'Läufe 🎬',
  ...Array(4).fill('ein Ordner mit einem wirklich langen Namen, wie ihn jemand schreibt, der alles sagt'),
].join('/');

/**
 * The command line with the real NDI library, each check after the other.
 * @param {string[]} names of checks; none: all of them
 */
export async function testCommandLine(wine, names = []) {
  const unknown = names.filter((name) => !(name in checks));
  assert.deepEqual(unknown, [], `the checks are: ${Object.keys(checks).join(', ')}`);
  install(wine);
  const failures = [];
  const notMeasured = [];
  const times = [];
  const chosen = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name));
  for (const [name, check] of chosen) {
    const startedMs = Date.now();
    try {
      await check(new CommandLine(wine, name.replaceAll(' ', '-')));
    } catch (error) {
      if (error instanceof NotMeasured)
        notMeasured.push({ name: `whiteline under Wine: ${name}`, reason: error.message });
      else failures.push(failureOf(`whiteline under Wine: ${name}`, error.message));
      process.stdout.write(`${name}: ${error.message}\n`);
    }
    times.push({ name: `whiteline under Wine: ${name}`, seconds: (Date.now() - startedMs) / 1000 });
  }
  return counted(times.length - failures.length - notMeasured.length, failures, notMeasured, times);
}

const checks = {
  ...fleetChecks,
  ...surroundingChecks,
  ...servedChecks,

  async doctor(whiteline) {
    // ffmpeg is missing, and that is what it says.
    const output = await whiteline.run(['doctor'], exits.environment);
    assert.match(output, /native addon: loaded/);
    assert.match(output, /pacing: Windows’ task Pro Audio; background: priority -1; looking: priority -2/);
    assert.match(output, /NDI runtime: NDI SDK WIN64 .* from C:\\whiteline\\ndi/);
    assert.match(output, /ffmpeg: not found/);
    assert.match(output, /CPU and network load: from the books of Windows/);
    // No package of another system, and no file that Windows does not have.
    assert.doesNotMatch(output, /apt-get|Debian|\/proc|\/etc/);
  },

  async 'send, sources and watch'(whiteline) {
    const output = await whiteline.whileSending((name) =>
      // Where frames were lost, nothing that is known of Wine excuses or proves it.
      whiteline.run(['watch', name, '--duration', '5s', '--json'], exits.pass, exits.invalid),
    );
    const row = linesOf(output).find(({ type }) => type === 'row');
    assert.ok(row, output);
    expectSums(row.figures);
    // Windows tells nobody, Wine neither.
    assert.match(
      output,
      /how much CPU the hypervisor took away could not be checked: this system never tells it/,
    );
  },

  async 'stream-load measures its load, in a folder of any name'(whiteline) {
    const folder = whiteline.wine.windowsPath(longName);
    const words = ['run', 'stream-load', '--format', '640x360@30', '--max-streams', '1'];
    // Where other work fills this machine, its rows are INVALID: the ramp goes on.
    const goesOn = ['--stop-on', 'fail', '--invalid-retries', '0'];
    const limits = ['--hold', '3s', '--warm-up', '500ms', ...goesOn, '--out', folder];
    await whiteline.run([...words, ...limits, '--json'], exits.pass, exits.warn, exits.fail, exits.invalid);
    const recorded = (name) => linesOf(readFileSync(whiteline.wine.file(`${longName}/${name}`), 'utf8'));
    const rows = recorded('rows.jsonl');
    assert.deepEqual(
      rows.map(({ step }) => step.streams),
      [0, 1],
    );
    for (const { verdict, reason } of rows)
      assert.ok(verdict !== 'INVALID' || isOfThisMachine(reason), JSON.stringify(reason));
    // At its end a ramp is still sampled, and threads of streams are gone.
    const samples = recorded('samples.jsonl');
    expectLoad(samples.findLast(hasStreams) ?? assert.fail(JSON.stringify(samples.at(-1))));
    expectFacts(
      JSON.parse(readFileSync(whiteline.wine.file(`${longName}/run.json`), 'utf8')).environment.hosts[0],
    );
    await whiteline.run(['report', folder, '--html', `${folder}\\report.html`], exits.pass);
    assert.ok(existsSync(whiteline.wine.file(`${longName}/report.html`)));
  },

  async 'a run that was killed is read back'(whiteline) {
    const folder = whiteline.wine.windowsPath('killed');
    const rowsFile = whiteline.wine.file('killed/samples.jsonl');
    await whiteline.whileSending(async (name) => {
      const watch = whiteline.start(['watch', name, '--out', folder]);
      await eventually(
        async () => existsSync(rowsFile) && linesOf(readFileSync(rowsFile, 'utf8')).length >= 2,
        `no second sample in ${folder}`,
      );
      watch.kill();
      await watch.ended;
    });
    const expectReport = async (name) => {
      await whiteline.run(['report', folder, '--html', whiteline.wine.windowsPath(name)], exits.pass);
      assert.ok(readFileSync(whiteline.wine.file(name), 'utf8').includes(whiteline.ndiName));
    };
    await expectReport('killed.html');
    // As a full disk or a power cut leaves it: within a line.
    truncateSync(rowsFile, statSync(rowsFile).size - 7);
    await expectReport('cut.html');
  },

  async 'a file that another program holds is not written over'(whiteline) {
    const run = whiteline.wine.file('example');
    cpSync(path.join(rootFolder, 'test-content/runs/stream-load'), run, { recursive: true });
    writeFileSync(whiteline.wine.file('held.html'), 'mine');
    const held = whiteline.wine.windowsPath('held.html');
    const holder = whiteline.wine.start([whiteline.wine.windowsPath('hold_file.exe'), held], {
      name: 'holder',
      limitMs,
    });
    const words = ['report', whiteline.wine.windowsPath('example'), '--html', held, '--force'];
    try {
      await eventually(async () => holder.outputSoFar().includes('held'), 'the file is not held');
      const output = await whiteline.run(words, exits.environment);
      assert.match(output, /held\.html cannot be written/);
      assert.match(output, /Close it in the program that holds it/);
    } finally {
      holder.kill();
      await holder.ended;
    }
    assert.equal(readFileSync(whiteline.wine.file('held.html'), 'utf8'), 'mine');
    await whiteline.run(words, exits.pass);
    assert.match(readFileSync(whiteline.wine.file('held.html'), 'utf8'), /<html/);
  },

  async 'a stream host that is killed is started again'(whiteline) {
    await whiteline.whileSending(async (name) => {
      const before = hostsOf(whiteline.wine);
      for (const id of before) process.kill(Number(id), 'SIGKILL');
      await eventually(async () => {
        const now = hostsOf(whiteline.wine);
        return now.length === before.length && now.every((id) => !before.includes(id));
      }, 'the hosts did not start again');
      await whiteline.run(
        ['watch', name, '--duration', '3s', '--json'],
        exits.pass,
        exits.fail,
        exits.invalid,
      );
    });
  },

  async 'stream hosts end with a command that is killed'(whiteline) {
    await whiteline.whileSending(async () => {
      assert.equal(hostsOf(whiteline.wine).length, 2, 'a sending and a receiving host');
    });
  },
};

/** What is read of Windows' books; Wine gives those of this system. */
function expectLoad(sample) {
  const said = JSON.stringify(sample);
  for (const field of ['cpuPercent', 'busiestCorePercent', 'memoryUsedMb', 'loopbackMbps', 'tcpRetransmits'])
    assert.equal(typeof sample[field], 'number', `${field} of ${said}`);
  assert.ok(sample.cpuPercent > 0 && sample.cpuPercent <= 100, said);
  assert.equal(sample.notMeasured.cpuStealPercent, 'this system never tells it');
  assert.match(sample.notMeasured.gpuPercent, /counters of GPU engines failed/);
  for (const role of ['sending', 'receiving', 'console'])
    assert.ok(sample.roles[role].cpuPercent > 0 && sample.roles[role].memoryMb > 10, said);
}

function hasStreams({ roles }) {
  const has = (role, part) => roles[role]?.parts.some(({ name }) => name === part);
  return has('sending', 'send') && has('receiving', 'receive');
}

/** What Wine knows of the machine; the rest is said by name, and asked of no tool of another system. */
function expectFacts(host) {
  const said = JSON.stringify(host);
  assert.match(host.distribution, /build \d+/, said);
  assert.deepEqual(
    host.interfaces.map(({ name, state }) => [name, state]),
    [['lo', 'up']],
  );
  assert.ok(host.drives.length > 0 && host.cpuModel !== null, said);
  assert.match(host.notKnown.ndiConfiguration, /C:\\ProgramData\\NDI\\ndi-config/);
  assert.equal(host.notKnown.memoryModules, 'Whiteline does not read it on Windows');
  assert.doesNotMatch(said, /dmidecode|systemd|lsblk|\/sys|\/proc/);
}
