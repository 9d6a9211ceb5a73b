import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { descendantsOf, isAlive, roleOf, targetsOf } from './processes.mjs';

test.each([
  ['/usr/bin/node --no-memory-reducer /opt/dist/app/streamhost.cjs sending ', 'sending'],
  ['/opt/native/build/Release/whiteline-fanout ', 'fan-out'],
  ['/opt/native/build/Release/whiteline-pacer ', 'pacer that receives'],
  ['/usr/bin/node /opt/dist/app/nmos-programs.cjs registry ', 'registry'],
  ['iperf3 -s --forceflush ', 'iperf3'],
  ['/usr/bin/fio --name=SEQ1M-Q1T1 ', 'fio'],
  ['/bin/sh -c read -r _; exec rm -f -- "$1" whiteline-guardian ', null],
  ['', null],
])('%s', (commandLine, role) => {
  expect(roleOf(commandLine)).toBe(role);
});

test('of two pacers the sender locks its memory', () => {
  expect(roleOf('whiteline-pacer ', () => true)).toBe('pacer that sends');
});

test('a command and what it started are found, and those that are gone are not', async () => {
  const shell = spawn('sh', ['-c', 'sleep 600 & wait'], { detached: true });
  onTestFinished(() => process.kill(-shell.pid, 'SIGKILL'));
  await vi.waitFor(() => expect(descendantsOf(shell.pid)).toHaveLength(1));
  expect(targetsOf(shell.pid, 'remote ')).toEqual([{ pid: shell.pid, role: 'remote engine' }]);
  const gone = spawn('true');
  await once(gone, 'exit');
  expect(isAlive(gone.pid)).toBe(false);
  expect(targetsOf(gone.pid)).toEqual([]);
});
