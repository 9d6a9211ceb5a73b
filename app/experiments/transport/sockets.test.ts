import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runTool } from '../../engine/tools/run-tool';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { lookAtSockets, parseGroups, parseSockets, parseTransmitted, socketRequirement } from './sockets';

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

test('addresses of all kinds are read, an IPv4 address in IPv6 as the former', () => {
  const text = [
    'udp   ESTAB 0 0 [::ffff:127.0.0.1]:50143 [::ffff:127.0.0.1]:5960 users:(("node",pid=11,fd=36)) ino:1 sk:7e',
    'udp   UNCONN 0 0 *:5960 *:* users:(("node",pid=12,fd=36),("node",pid=13,fd=36))',
    'udp   UNCONN 0 0 10.9.0.1%eth0:68 0.0.0.0:*',
    'tcp   LISTEN 0 128 [::]:5961 [::]:* users:(("node",pid=11,fd=20))',
    'tcp   ESTAB 0 0 [fe80::1]%eth0:5961 [fe80::2]:40000 users:(("node",pid=11,fd=21)) bytes_sent:42 bytes_received:7',
    '',
  ].join('\n');
  expect(parseSockets(text)).toMatchObject([
    {
      localAddress: '127.0.0.1',
      localPort: 50143,
      peerAddress: '127.0.0.1',
      peerPort: 5960,
      processIds: [11],
    },
    { localAddress: '*', localPort: 5960, peerAddress: '', peerPort: 0, processIds: [12, 13], bytesSent: 0 },
    { localAddress: '10.9.0.1', localPort: 68, processIds: [] },
    { state: 'LISTEN', localAddress: '::', localPort: 5961, peerPort: 0 },
    { localAddress: 'fe80::1', localPort: 5961, peerAddress: 'fe80::2', peerPort: 40000, bytesSent: 42 },
  ]);
});

test.each([
  'Error: no such thing',
  'tcp ESTAB 0 0 nonsense 127.0.0.1:1',
  'tcp ESTAB 0',
  'sctp LISTEN 0 5 a:1 b:2',
])('a line that is no socket is refused: %s', (line) => {
  expect(() => parseSockets(`${line}\n`)).toThrow(/^ss wrote /);
});

test('groups are read, lowest byte first', () => {
  const text = 'Idx\tDevice\n1\tlo        :     1      V3\n\t\t\t\t010000E0     1 0:00000000\t\t0\n';
  expect(parseGroups(text)).toEqual(['224.0.0.1']);
});

test('what all interfaces have transmitted is summed', () => {
  const text = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo:     409       5    0    0    0     0          0         0      409       5    0    0    0     0       0          0',
    '  eth0:71925362   52345    0    0    0     0          0         0    11643     138    0    0    0     0       0          0',
  ].join('\n');
  expect(parseTransmitted(text)).toBe(409 + 11643);
});

test.each([
  ['nonsense', 'echo nonsense', /ss wrote nonsense/],
  ['a refusal', 'echo no such option >&2; exit 255', /ss ended with 255: no such option/],
  ['its death', 'kill -9 $$', /ss ended with SIGKILL/],
])('ss that answers with %s is no look at sockets', async (_, script, message) => {
  const programs = mkdtempSync(join(folder, 'programs-'));
  writeFileSync(join(programs, 'ss'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  const looked = lookAtSockets({ sending: [], receiving: [] }, { clock: new SimulatedClock(), run: runTool });
  await expect(looked).rejects.toMatchObject({
    code: 'TOOL_FAILED',
    message: expect.stringMatching(message),
  });
});

test.runIf(process.platform === 'linux')('without ss nothing starts', async () => {
  vi.stubEnv('PATH', '/nowhere');
  expect(await socketRequirement.check()).toMatch(/ss is not installed.+iproute2/);
});
