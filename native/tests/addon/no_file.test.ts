import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findAddon } from '../../addon/index';
import { ndiFolder, smallFormat, uniqueName } from './addon_fixture';

/** All files that the process may have open are open, but for 0 and then 8; at the end there is room again. */
const withFewFiles = `
  const { execFileSync } = require('node:child_process');
  const { closeSync, openSync } = require('node:fs');
  const module_ = { exports: {} };
  process.dlopen(module_, ${JSON.stringify(findAddon())});
  const { Finder, loadNdi, Receiver, Sender, Source } = module_.exports;
  loadNdi([${JSON.stringify(ndiFolder)}]);
  const source = new Source({ kind: 'white-line', ...${JSON.stringify(smallFormat)} });
  let senders = 0;
  const sender = () => {
    const name = ${JSON.stringify(uniqueName())} + ++senders;
    return new Sender({ transport: 'ndi', source, name, senderId: senders, audio: true, answerTime: true });
  };
  const kinds = [sender, () => new Receiver({ transport: 'ndi', name: 'x', receiverName: 'r' }), () => new Finder({ transport: 'ndi' })];
  // libndi opens some by itself when it begins.
  const handles = kinds.map((open) => open());
  execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=256:']);
  const files = [];
  const refusals = [0, 8].map((spare) => {
    try {
      for (;;) files.push(openSync('/dev/null'));
    } catch {}
    for (const file of files.splice(-spare, spare)) closeSync(file);
    return kinds.map((open) => {
      try {
        return open() && 'opened';
      } catch ({ code, message }) {
        return code + ': ' + message;
      }
    });
  });
  for (const file of files) closeSync(file);
  for (const handle of [...handles, ...kinds.map((open) => open()), source]) handle.close();
  console.log(JSON.stringify(refusals));
`;

test('where too few files may be opened, an object of NDI is refused before the SDK ends the process, and made later', () => {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, ['-e', withFewFiles], {
    encoding: 'utf8',
  });
  expect({ stderr, status, signal }).toEqual({ stderr: '', status: 0, signal: null });
  const said = /^FILES_EXHAUSTED: This process may open \d+ more files, and 16 may be needed$/;
  for (const refusal of JSON.parse(stdout).flat()) expect(refusal).toMatch(said);
});
