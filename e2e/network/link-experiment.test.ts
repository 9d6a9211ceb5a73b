// @module-tag machine

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseUdpOverflows } from '../../app/engine/load/network';
import type { Repeat } from '../../app/experiments/link/link-rows';
import { exitCodes } from '../../app/protocol/errors';
import { WhitelineCommand } from '../../app/testing/command';
import { readNamedRun, type TableRow, tableRowsOf } from '../../app/testing/named-rows';
import { Network, receiverAddress } from './network';

const port = 5201;

let network: Network;
let server: ChildProcess;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whiteline-link-'));
  network = await Network.create();
  server = await iperfServer();
});

afterEach(() => {
  server.kill('SIGKILL');
  network.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The one command that a user gives on the other host. */
async function iperfServer(): Promise<ChildProcess> {
  const [program = '', ...words] = [
    ...network.receiver.inside,
    'iperf3',
    '-s',
    '--forceflush',
    '-p',
    `${port}`,
  ];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes('listening')) resolve();
    });
  });
  return child;
}

/** From the sender's host to the receiver's; later flags overrule earlier ones. */
function link(...flags: string[]): WhitelineCommand {
  const short = ['--repeats', '2', '--hold', '2s', '--pings', '5'];
  const words = ['run', 'link', '--host', receiverAddress, ...short, '--out', join(folder, 'run'), ...flags];
  return new WhitelineCommand(words, {}, network.sender.inside);
}

function rows(): TableRow[] {
  return tableRowsOf(readNamedRun(join(folder, 'run')).rows);
}

/** Datagrams that came to the receiver's host and found no room. */
const overflows = (): number | null => parseUdpOverflows(network.receiver.run('cat', '/proc/net/snmp'));

const figure = (row: TableRow | undefined, id: string): number =>
  Number(row?.values[`link.${id}`] ?? Number.NaN);

test('a link of 200 Mb/s is found to be one, by TCP and UDP, and only in the direction that is limited', async () => {
  network.limitBandwidth('200mbit');
  const flags = ['--line-rate-mbps', '200', '--datagram-bytes', '1472'];
  const command = link(...flags);
  const { output } = await command.ended;
  const [ping, send, receive, udp] = rows();
  // The figure is their mean; a machine that is held up adds to some of them.
  const rttsMs = ping?.details.rttsMs as number[];
  const meanMs = rttsMs.reduce((sum, rttMs) => sum + rttMs, 0) / rttsMs.length;
  expect(figure(ping, 'rttMs')).toBeCloseTo(meanMs, 9);
  expect(Math.min(...rttsMs)).toBeGreaterThan(0);
  expect(Math.min(...rttsMs)).toBeLessThan(20);
  expect(figure(send, 'throughputMbps'), output).toBeGreaterThan(175);
  expect(figure(send, 'throughputMbps')).toBeLessThan(200);
  expect(figure(send, 'lineRatePercent')).toBeCloseTo(figure(send, 'throughputMbps') / 2, 9);
  expect(figure(receive, 'throughputMbps')).toBeGreaterThan(250);
  expect(figure(udp, 'targetMbps')).toBeCloseTo((200 * 1472) / 1538, 6);
  expect(figure(udp, 'throughputMbps')).toBeGreaterThan(170);
  expect(figure(udp, 'throughputMbps')).toBeLessThan(200);
  for (const row of rows()) expect(row.reason).not.toContain('over loopback');
  expect(readNamedRun(join(folder, 'run')).environment.topology).toMatch(/^this machine and [\d.]+$/);
  expect(readNamedRun(join(folder, 'run')).environment.link).toMatchObject({
    address: receiverAddress,
    interface: { interfaceName: network.sender.device, loopback: false, mtuBytes: 1500 },
  });
  await command.leavesNothingBehind();
});

test('one packet in a hundred lost is seen as 1 % of the datagrams, and fails', async () => {
  network.loseOneIn(100);
  const flags = ['--line-rate-mbps', '100', '--datagram-bytes', '1472', '--protocols', 'udp'];
  await link(...flags, '--directions', 'send', '--pings', '0', '--hold', '4s').ended;
  const [row] = rows();
  const runs = row?.details.runs as Repeat[];
  const lost = runs.reduce((total, { report }) => total + (report.udp?.datagramsLost ?? 0), 0);
  const sent = runs.reduce((total, { report }) => total + (report.udp?.datagramsSent ?? 0), 0);
  // A busy machine may let the receiver's buffer overflow too, which its kernel counts.
  const packetsLost = network.packets().lost;
  const thrownAway = packetsLost + (overflows() ?? 0);
  // The filter takes some packets of the control connection as well.
  expect(lost).toBeLessThanOrEqual(thrownAway);
  expect(lost).toBeGreaterThan(0.95 * thrownAway);
  expect(packetsLost / sent).toBeCloseTo(0.01, 3);
  expect(figure(row, 'lossPercent')).toBeCloseTo((100 * lost) / sent, 1);
  expect(['FAIL', 'INVALID']).toContain(row?.verdict);
  if (row?.verdict === 'FAIL')
    expect(row.reason).toMatch(/\(FAIL above [\d.]+ %\).* \(measured from .+ to .+ UTC\)$/);
});

test('the server killed in the middle: the row is reported with the repeats that it has', async () => {
  const command = link('--pings', '0', '--repeats', '20', '--protocols', 'tcp');
  await command.hasStarted('-t 2', 3);
  server.kill('SIGKILL');
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/iperf3 failed: /);
  expect(exitCode).toBe(exitCodes.environment);
  const [row] = rows();
  const runs = row?.details.runs as Repeat[];
  expect(runs.length).toBeGreaterThan(0);
  expect(row?.reason).toContain(`${runs.length} of 20 repeats`);
  await command.leavesNothingBehind();
});

test('a cable that is pulled: iperf3 is not waited for for ever', async () => {
  const command = link('--repeats', '1', '--hold', '5s', '--protocols', 'tcp', '--directions', 'send');
  await vi.waitFor(() => expect(command.processes('-t 5')).not.toEqual([]));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  network.setCable('down');
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/iperf3 (failed|did not end within 18 s)/);
  expect(exitCode).toBe(exitCodes.environment);
  expect(rows()).toHaveLength(1);
  await command.leavesNothingBehind();
});
