// @module-tag machine

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uniqueName, WhitelineCommand } from '../../testing/command';
import { readNamedRun } from '../../testing/named-rows';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readSamples, runFiles } from './read-run';

const root = temporaryFolder();

test('the files of a killed run lack a second at most', async () => {
  const out = join(root, uniqueName());
  const command = new WhitelineCommand([
    ...['run', 'stream-load', '--format', '640x360@30', '--max-streams', '8', '--name', uniqueName()],
    ...['--hold', '1500ms', '--warm-up', '300ms', '--stop-on', 'sender-miss', '--invalid-retries', '0'],
    ...['--out', out],
  ]);
  await command.says(/^ +1 +1 /m);
  command.signal('SIGKILL');
  const killedMs = Date.now();
  await command.ended;
  expect(readdirSync(out).sort()).toEqual(expect.arrayContaining(Object.values(runFiles).sort()));
  expect(readNamedRun(out)).toMatchObject({ state: 'interrupted', verdict: null });
  expect(readNamedRun(out).rows.length).toBeGreaterThan(1);
  expect(killedMs - (readSamples(out).at(-1)?.wallMs ?? 0)).toBeLessThan(1500);
  await command.leavesNothingBehind();
});
