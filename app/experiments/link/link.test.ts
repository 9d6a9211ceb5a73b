import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { meanOf, standardDeviationOf } from '../../engine/experiment/repeats';
import { exitCodes } from '../../protocol/errors';
import { killAll, WhitelineCommand } from '../../testing/command';
import { CommandHere } from '../../testing/command-here';
import type { Ended } from '../../testing/command-output';
import { readNamedRun, type TableRow, tableRowsOf } from '../../testing/named-rows';
import { openFilesOf } from '../../testing/process-files';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { Repeat } from './link-rows';

// What iperf3 and ping may answer: link-runs.test.ts.

const root = temporaryFolder();

/** Over loopback, short; later flags overrule earlier ones. */
function words(out: string, flags: string[]): string[] {
  const short = ['--repeats', '2', '--hold', '1s', '--omit', '0s', '--pings', '3'];
  const small = ['--datagram-bytes', '1400', '--line-rate-mbps', '100'];
  return ['run', 'link', ...short, ...small, '--out', join(root, out), ...flags];
}

function link(
  out: string,
  flags: string[],
  environment: NodeJS.ProcessEnv = {},
  inside: string[] = [],
): WhitelineCommand {
  return new WhitelineCommand(words(out, flags), environment, inside);
}

/** Where nothing is done to its processes. */
function linkHere(out: string, flags: string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new CommandHere(words(out, flags), environment).ended;
}

function rowsOf(out: string): TableRow[] {
  return tableRowsOf(readNamedRun(join(root, out)).rows);
}

const runsOf = (row: TableRow | undefined): Repeat[] => row?.details.runs as Repeat[];

test('over loopback, both ways, and every row says that this is no link', async () => {
  const command = link('loopback', []);
  const { exitCode, errors } = await command.ended;
  const run = readNamedRun(join(root, 'loopback'));
  const rows = rowsOf('loopback');
  expect(rows.map(({ values }) => [values['link.protocol'], values['link.direction']])).toEqual([
    ['ping', null],
    ['TCP', 'send'],
    ['TCP', 'receive'],
    ['UDP', 'send'],
    ['UDP', 'receive'],
  ]);
  for (const row of rows) {
    expect(['WARN', 'INVALID']).toContain(row.verdict);
    if (row.verdict === 'WARN') expect(row.reason).toContain('over loopback on this one machine');
    for (const [id, value] of Object.entries(row.values))
      expect([id, value === null]).toEqual([id, row.notMeasured[id] !== undefined]);
  }
  for (const row of rows.slice(1)) {
    const throughputs = runsOf(row).map(({ report }) => report.throughputMbps ?? Number.NaN);
    expect(throughputs, errors).toHaveLength(2);
    expect(row.values['link.throughputMbps']).toBe(meanOf(throughputs));
    expect(row.values['link.throughputMbps.sd']).toBe(standardDeviationOf(throughputs));
  }
  const [ping, tcp, , udp] = rows;
  expect(ping?.values['link.rttMs']).toBeGreaterThan(0);
  expect(tcp?.values['link.loadedRttMs']).toBeGreaterThan(0);
  expect(tcp?.notMeasured['link.jitterMs']).toBe('TCP has none');
  // 1400 bytes of payload are 1446 with their head and what Ethernet adds; loopback's MTU holds them whole.
  expect(udp?.values['link.targetMbps']).toBeCloseTo((100 * 1400) / 1466, 6);
  expect(udp?.values['link.throughputMbps']).toBeLessThan(101);
  expect(run.environment.topology).toBe('this machine alone, over loopback');
  expect(run.environment.link).toMatchObject({
    address: '127.0.0.1',
    lineRate: { mbps: 100, source: 'as given' },
    interface: { interfaceName: 'lo', loopback: true },
  });
  expect(run.environment.iperf3).toMatch(/^iperf 3/);
  expect([exitCodes.pass, exitCodes.invalid]).toContain(exitCode);
  await command.leavesNothingBehind();
});

test('the rates of NDI streams, which iperf3 holds over TCP and UDP', async () => {
  const flags = ['--rates', 'ndi', '--stream-mbps', '20', '--max-streams', '2', '--directions', 'send'];
  await linkHere('ndi', [...flags, '--repeats', '1', '--pings', '0']);
  const rows = rowsOf('ndi');
  expect(rows.map(({ values }) => [values['link.protocol'], values['link.ndiStreams']])).toEqual([
    ...[
      ['TCP', 1],
      ['TCP', 2],
      ['UDP', 1],
      ['UDP', 2],
    ],
  ]);
  for (const { values, details } of rows) {
    const mbps = 20 * Number(values['link.ndiStreams']);
    expect(values['link.targetMbps']).toBe(mbps);
    // A block of TCP for each stream may be one too many.
    expect(values['link.throughputMbps']).toBeLessThan(1.05 * mbps + 2 * 1.05);
    expect(values['link.lateIntervals']).not.toBeNull();
    expect(details.serverVersion).toMatch(/^iperf 3/);
  }
});

test('a row of one ping has a load sample, though it is the first of a run', async () => {
  await linkHere('one ping', ['--pings', '1', '--protocols', 'tcp', '--directions', 'send']);
  const [ping] = rowsOf('one ping');
  expect(ping?.values['link.rttMs']).toBeGreaterThan(0);
  expect(ping?.reason).not.toContain('no load sample');
});

test.runIf(process.getuid?.() === 0)('no server on the other host: the command that starts one', async () => {
  const setUp = 'ip link set lo up && ip address add 198.51.100.7/32 dev lo && exec "$@"';
  const inside = ['unshare', '--net', 'sh', '-c', setUp, 'sh'];
  const flags = ['--host', '198.51.100.7', '--port', '5333'];
  const { exitCode, errors } = await link('no-server', flags, {}, inside).ended;
  expect(errors).toMatch(
    /No iperf3 server answers at 198\.51\.100\.7, port 5333 \(unable to connect to server: Connection refused\)\. Start one on that host: iperf3 -s -p 5333/,
  );
  expect(exitCode).toBe(exitCodes.environment);
});

test.each(['127.0.0.1', 'localhost', ''])(
  'a port that is given is used, on this machine too: %s',
  async (host) => {
    const flags = [...(host ? ['--host', host] : []), '--port', '59999'];
    const { exitCode, errors } = await linkHere(`no-own-server ${host}`, flags);
    expect(errors).toMatch(
      /No iperf3 server answers at \S+, port 59999 \(.*refused\)\. Start one on that host: iperf3 -s -p 59999, or leave --port out/,
    );
    expect(exitCode).toBe(exitCodes.environment);
  },
);

test('a name that no one knows is no host', async () => {
  const { exitCode, errors } = await linkHere('nowhere', ['--host', 'nobody.invalid']);
  expect(errors).toMatch(/Expected a host that can be found for --host but received nobody\.invalid/);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('iperf3 missing: reported before the run', async () => {
  const { exitCode, errors } = await linkHere('missing', [], { PATH: '/nonexistent' });
  expect(errors).toMatch(/iperf3 is not installed, or not in PATH\. Install it/);
  expect(exitCode).toBe(exitCodes.environment);
});

test.each([
  ['the client', 'iperf3 -J', /iperf3 failed: it was killed by SIGKILL/],
  ['the server', 'iperf3 -s', /our iperf3 server was killed \(SIGKILL\); iperf3 failed: .+/],
])('%s killed in the middle: rows so far are kept, and nothing is left', async (who, victim, message) => {
  const out = `killed ${who}`;
  const command = link(out, ['--protocols', 'tcp', '--hold', '30s', '--repeats', '1']);
  await command.says(/ping over the idle link/);
  // One for words between client and server, one for what is measured.
  await vi.waitFor(() => expect(command.processes('iperf3 -J').map(connectionsOf)).toEqual([2]));
  killAll(command.processes(victim));
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(message);
  expect(exitCode).toBe(exitCodes.environment);
  expect(readNamedRun(join(root, out)).state).toBe('failed');
  expect(rowsOf(out).map(({ values }) => values['link.protocol'])).toEqual(['ping']);
  await command.leavesNothingBehind();
});

/** TCP connections of a process, out of the tables of its sockets. */
function connectionsOf(processId: number): number {
  const links = openFilesOf(processId);
  const [, ...lines] = readFileSync(`/proc/${processId}/net/tcp`, 'latin1').trim().split('\n');
  const established = '01';
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === established && links.includes(`socket:[${inode}]`))
    .length;
}

test('Ctrl-C: the open row is reported with the repeats that it has', async () => {
  const command = link('stopped', ['--pings', '0', '--repeats', '50', '--protocols', 'tcp']);
  await command.hasStarted('iperf3 -J', 3);
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const [row] = rowsOf('stopped');
  expect(runsOf(row).length).toBeGreaterThan(0);
  expect(runsOf(row).length).toBeLessThan(50);
  expect(row?.reason).toContain(`${runsOf(row).length} of 50 repeats`);
  await command.leavesNothingBehind();
});

test('the command itself killed: client and server go with it', async () => {
  const command = link('murdered', ['--hold', '30s']);
  await vi.waitFor(() => expect(command.processes('iperf3 -J')).not.toEqual([]), { timeout: 60_000 });
  command.signal('SIGKILL');
  await command.ended;
  await command.leavesNothingBehind();
  expect(readNamedRun(join(root, 'murdered')).state).toBe('interrupted');
});
