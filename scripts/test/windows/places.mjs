import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { eventually, exits, linesOf } from './command.mjs';

export const placeChecks = {
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
