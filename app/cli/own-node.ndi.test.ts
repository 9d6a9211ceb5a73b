import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRun } from '../engine/sessions/read-run';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const out = outputPaths(temporaryFolder());

test('the hosts of a command run in its own Node, which the run names', async () => {
  const command = new WhitelineCommand([
    ...['run', 'stream-load', '--format', '640x360@30', '--max-streams', '1', '--name', uniqueName()],
    ...['--hold', '30s', '--out', out('run')],
  ]);
  await command.hasStarted('streamhost.cjs', 2);
  const programs = ['cli.cjs', 'streamhost.cjs']
    .flatMap((name) => command.processes(name))
    .map((id) => realpathSync(`/proc/${id}/exe`));
  // A tool that is being started bears the command's name for a moment.
  expect(new Set(programs)).toEqual(new Set([realpathSync(process.execPath)]));
  command.signal('SIGINT');
  await command.ended;
  expect(readRun(out('run')).environment.node).toBe(process.version);
});
