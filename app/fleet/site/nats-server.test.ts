import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTool, type ToolResult } from '../../engine/tools/run-tool';
import { machineClock } from '../../protocol/machine-clock';
import { fakeTool } from '../../testing/fake-tool';
import { temporaryFolder } from '../../testing/temporary-folder';
import { checkNatsServer, findNatsServer, freePortOf, startNatsServer } from './nats-server';
import { noteServer, reloadServer, runningServer, stopServer } from './server-process';

const folder = temporaryFolder();

test('a server that is not installed is named, with what installs it', () => {
  vi.stubEnv('PATH', folder);
  expect(() => findNatsServer([])).toThrow(
    expect.objectContaining({
      ...{ code: 'TOOL_MISSING', message: 'nats-server is not installed, or not in PATH' },
      ...{ field: 'tool', value: 'nats-server' },
      remedy: 'Install nats-server 2.9 or newer: apt-get install nats-server',
    }),
  );
});

test('a server is found where Debian has it, which stands in no PATH of a user', () => {
  vi.stubEnv('PATH', '');
  writeFileSync(join(folder, 'nats-server'), '');
  expect(findNatsServer(['/nonexistent', folder])).toBe(join(folder, 'nats-server'));
});

const saying = (stdout: string) => async (): Promise<ToolResult> => ({
  ...{ stdout, stderr: '', exitCode: 0, endSignal: null },
});

test.each(['nats-server: v2.9.10\n', 'nats-server: v2.10.0\n', 'nats-server: v3.0.0-beta\n'])(
  '%s is good',
  async (said) => {
    await expect(checkNatsServer('nats-server', saying(said))).resolves.toBeUndefined();
  },
);

test.each(['nats-server: v2.8.4\n', 'nats-server: v1.4.1\n', ''])(
  '%s is too old, or not known',
  async (said) => {
    await expect(checkNatsServer('/a/nats-server', saying(said))).rejects.toMatchObject({
      code: 'REQUIREMENT_MISSING',
      message: `A fleet needs nats-server 2.9 or newer, and /a/nats-server is "${said.trim()}"`,
      ...{ field: 'tool', value: '/a/nats-server', remedy: expect.stringMatching(/^Install nats-server/) },
    });
  },
);

test('the real one is good', async () => {
  await expect(checkNatsServer(findNatsServer(), runTool)).resolves.toBeUndefined();
});

const debians = 'INFO {"server_id":"X","server_name":"NDX7","version":"2.9.10","tls_required":false}\r\n';

test.each([
  ['another program', '', 'another program has it', 'End that program, or give another port'],
  [
    'Debian’s own server',
    debians,
    'a nats-server that is not Whiteline’s has it, probably the one that Debian starts by itself',
    'End that one for good: sudo systemctl disable --now nats-server; or give another port',
  ],
  [
    'another fleet',
    debians.replace('NDX7', 'whiteline-fleet'),
    'the server of another fleet has it',
    'End that one where it was started (whiteline fleet stop, with its --folder), or give another port',
  ],
])('a port that %s has is named with what to do', async (_, greeting, cause, remedy) => {
  const other = createServer((socket) => socket.end(greeting)).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(freePortOf('127.0.0.1', port, machineClock)).rejects.toMatchObject({
    code: 'NAME_IN_USE',
    message: `Cannot listen on port ${port} of 127.0.0.1: ${cause}`,
    ...{ field: 'port', value: `${port}`, remedy },
  });
});

test('a program that has the port and says nothing is waited for by the clock that is given', async () => {
  const other = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const clock = {
    after: (_: number, act: () => void) => {
      setImmediate(act);
      return () => undefined;
    },
  };
  await expect(freePortOf('127.0.0.1', port, clock)).rejects.toThrow('another program has it');
});

test('the system gives a port that is free', async () => {
  expect(await freePortOf('127.0.0.1', 0, machineClock)).toBeGreaterThan(0);
});

test('an address of another machine is refused', async () => {
  await expect(freePortOf('192.0.2.1', 0, machineClock)).rejects.toMatchObject({
    message: 'Expected an address of this machine for listen but received 192.0.2.1',
  });
});

const deaf = { warning: () => undefined, route: () => undefined };

test('whether another server is reached is told apart from what is warned of', async () => {
  const lines = [
    '[ERR] Error trying to connect to route (attempt 1): dial tcp 192.0.2.2:6222: i/o timeout',
    '[INF] 192.0.2.2:6222 - rid:7 - Route connection created',
    '[WRN] odd',
    '[INF] Server is ready',
  ];
  const words = lines.map((line) => `echo "[7] ${line}" >&2`).join('; ');
  const { PATH } = fakeTool(folder, 'nats-server', words);
  vi.stubEnv('PATH', PATH);
  const heard: string[] = [];
  await startNatsServer('nats-server', '/none.conf', machineClock, {
    warning: (line) => heard.push(`warning: ${line}`),
    route: (line) => heard.push(line),
  });
  expect(heard).toEqual([
    'The server of the fleet at 192.0.2.2:6222 is not reached (i/o timeout); it is tried until it answers',
    'The server of the fleet at 192.0.2.2:6222 is reached',
    'warning: odd',
  ]);
});

test('a server that ends before it is ready says why', async () => {
  const { PATH } = fakeTool(folder, 'nats-server', 'echo "nats-server: $2:1:2: odd" >&2; exit 1');
  vi.stubEnv('PATH', PATH);
  const lines: string[] = [];
  const started = startNatsServer('nats-server', '/none.conf', machineClock, {
    warning: (line) => lines.push(line),
    route: () => undefined,
  });
  await expect(started).rejects.toMatchObject({
    ...{ code: 'TOOL_FAILED', message: 'nats-server failed: nats-server: /none.conf:1:2: odd' },
  });
  expect(lines).toEqual(['nats-server: /none.conf:1:2: odd']);
});

test.each([
  ['a moment before its end', 1e9, 'it ended with code 1: authorization error'],
  ['long before it', 3600e9, 'it ended with code 1'],
])('what a server said %s', async (_, passedNs, how) => {
  const words = 'echo "[7] [ERR] authorization error" >&2; echo "[7] [INF] Server is ready" >&2';
  const until = `while [ ! -e ${folder}/end-${passedNs} ]; do sleep 0.05; done`;
  const { PATH } = fakeTool(folder, 'nats-server', `${words}; ${until}; exit 1`);
  vi.stubEnv('PATH', PATH);
  let nowNs = 0;
  const clock = { after: machineClock.after, monotonicNs: () => nowNs };
  const server = await startNatsServer('nats-server', '/none.conf', clock, deaf);
  nowNs = passedNs;
  writeFileSync(join(folder, `end-${passedNs}`), '');
  expect(await server.ended).toEqual({ exitCode: 1, how });
});

test('the number of another process is not taken for the server', async () => {
  const files = { processId: join(folder, 'pid'), configuration: join(folder, 'conf') };
  expect(runningServer(files)).toBeNull();
  for (const id of ['', '0', '-1', 'x', `${process.pid}`, '999999999']) {
    writeFileSync(files.processId, id);
    expect([runningServer(files), reloadServer(files)]).toEqual([null, false]);
    expect(await stopServer(files, machineClock)).toBeNull();
  }
  noteServer(files, process.pid);
  expect(runningServer(files)).toBeNull();
});
