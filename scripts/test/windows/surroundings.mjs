import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../../setup/platform.mjs';
import { eventually, exits, limitMs, linesOf } from './command.mjs';

/** Of a checkout, what its set-up needs to begin with. */
const ofSetUp = ['scripts', 'app', 'package.json', 'package-lock.json'];

async function setInRegistry({ wine }, key, name, type, value) {
  const command = ['reg', 'add', key, '/v', name, '/t', type, '/d', value, '/f'];
  const { status, signal, output } = await wine.start(command, { name: 'reg', limitMs }).ended;
  assert.equal(signal ?? status, 0, output);
}

export const surroundingChecks = {
  async 'both commands of the README name what this Windows lacks'({ wine }) {
    for (const name of ofSetUp)
      cpSync(path.join(rootFolder, name), wine.file(`checkout/${name}`), { recursive: true });
    for (const [script, more] of [
      ['start', ''],
      ['test', ', clang-format'],
    ]) {
      const command = [wine.windowsPath('node.exe'), `scripts/${script}.mjs`];
      const options = { name: 'set-up', cwd: wine.file('checkout'), limitMs };
      const { status, signal, output } = await wine.start(command, options).ended;
      assert.equal(signal ?? status, exits.environment, output);
      assert.match(
        output,
        /no NDI runtime is known here: install NDI Tools from https:\/\/ndi\.video\/tools/,
      );
      const missing = `these programs are missing: ffmpeg, cmake, ninja, python, c++${more}.\n`;
      assert.ok(output.includes(missing), output);
      assert.match(output, /c\+\+: winget install /);
      assert.doesNotMatch(output, /apt|Debian|python3/);
    }
  },

  async 'preflight judges the firewall by the registry, and advises no command of Linux'(whiteline) {
    const policy = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy';
    const app = whiteline.wine.windowsPath('node.exe');
    const rule = `v2.31|Action=Allow|Active=TRUE|Dir=In|Protocol=6|App=${app}|Name=Node.js|`;
    for (const profile of ['DomainProfile', 'StandardProfile', 'PublicProfile'])
      await setInRegistry(whiteline, `${policy}\\${profile}`, 'EnableFirewall', 'REG_DWORD', '1');
    await setInRegistry(whiteline, `${policy}\\FirewallRules`, '{ABCD}', 'REG_SZ', rule);
    const words = ['run', 'preflight', '--duration', '1s', '--out', whiteline.wine.windowsPath('preflight')];
    const output = await whiteline.run(words, exits.warn, exits.fail);
    assert.match(output, /rules of this machine drop 5353\/udp \(discovery\), 5961\/udp \(video by RUDP\)\n/);
    assert.match(output, /lo is driven by lo\n/);
    assert.doesNotMatch(output, /Command: (?!whiteline )/);
  },

  async 'a run lies on a share'(whiteline) {
    const { wine } = whiteline;
    wine.connect('share', 'unc/nas/runs');
    const folder = '\\\\nas\\runs\\Läufe 🎬\\quiet';
    const words = ['run', 'quiet', '--rates-hz', '60', '--hold', '1s', '--out', folder];
    await whiteline.run(words, exits.pass, exits.warn, exits.fail, exits.invalid);
    assert.ok(linesOf(readFileSync(wine.file('share/Läufe 🎬/quiet/rows.jsonl'), 'utf8')).length > 0);
    await whiteline.run(['report', folder, '--html', `${folder}.html`], exits.pass);
    assert.match(readFileSync(wine.file('share/Läufe 🎬/quiet.html'), 'utf8'), /<html/);
  },

  async 'a drive that vanishes is named, and what was written is kept'(whiteline) {
    const { wine } = whiteline;
    const samples = wine.file('stick/run/samples.jsonl');
    const disconnect = wine.connect('stick', 'x:');
    await whiteline.whileSending(async (name) => {
      const watch = whiteline.start(['watch', name, '--duration', '20s', '--out', 'X:\\run']);
      await eventually(
        async () => existsSync(samples) && linesOf(readFileSync(samples, 'utf8')).length >= 2,
        'no second sample on the drive',
      );
      disconnect();
      const { output } = await watch.ended;
      assert.match(output, /files in X:\\run were removed or moved while it was recorded/);
      const refusal = await whiteline.run(['watch', name, '--out', 'X:\\again'], exits.environment);
      assert.match(refusal, /X:\\again cannot be written/);
    });
    await whiteline.run(
      ['report', wine.windowsPath('stick/run'), '--html', wine.windowsPath('stick.html')],
      exits.pass,
    );
    assert.ok(readFileSync(wine.file('stick.html'), 'utf8').includes(whiteline.ndiName));
  },
};
