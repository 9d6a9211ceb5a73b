import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import type { ClosedRow } from '../../facts/row';
import type { Verdict } from '../../facts/verdict';
import { checks } from './checks/all';
import { chooseInterface, defaultInterface, otherAddressOf } from './chosen-interface';
import { preflightParameters } from './declaration';
import { preflightLabels } from './labels';
import type { Line } from './line';
import { tryPort } from './ports';
import { verdict } from './preflight';

function row(label: string, state: Line['state'], of: Verdict): ClosedRow {
  return {
    ...{ index: 0, label, from: '', to: '', step: {}, subjects: [], load: {}, notMeasured: {} },
    ...{ figures: { 'preflight.state': state }, verdict: of, reason: [] },
  };
}

const ok = row('A', 'ok', 'PASS');
const unknown = row('B', 'unknown', 'WARN');
const warning = row('C', 'warning', 'WARN');
const problem = row('D', 'problem', 'FAIL');

test.each<[string, ClosedRow[], Verdict, string]>([
  ['ok', [ok, ok], 'PASS', 'all 2 checks are ok'],
  ['unknown', [ok, unknown, unknown], 'WARN', '2 unknown (B, B); 3 checks'],
  ['a warning', [ok, warning, unknown], 'WARN', '1 warning (C); 1 unknown (B); 3 checks'],
  ['problems', [problem, warning, problem], 'FAIL', '2 problems (D, D); 1 warning (C); 3 checks'],
])('lines that are %s', (_, rows, expected, reason) => {
  expect(verdict(rows)).toEqual({ verdict: expected, reason });
});

test('each check has words of its own, and the window lists them in the order in which they are run', () => {
  expect(Object.keys(preflightLabels)).toEqual(checks.map(({ id }) => id));
  expect(new Set(Object.values(preflightLabels)).size).toBe(checks.length);
});

test('the interface of the default route is found', () => {
  const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';
  const own = 'eth1\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0';
  const all = 'eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0';
  expect(defaultInterface([head, own, all].join('\n'))).toBe('eth0');
  expect(defaultInterface([head, own].join('\n'))).toBeNull();
  expect(defaultInterface('')).toBeNull();
});

test('a host that is this machine is no other one, by whatever name or address', async () => {
  const own = Object.values(networkInterfaces()).flatMap((entries = []) => entries);
  for (const host of [...own.map(({ address }) => address), '127.0.0.1', '127.0.1.1', '::1', 'localhost'])
    expect(await otherAddressOf(preflightParameters.parse({ host })), host).toBeNull();
  expect(await otherAddressOf(preflightParameters.parse({}))).toBeNull();
  expect(await otherAddressOf(preflightParameters.parse({ host: '192.0.2.7' }))).toBe('192.0.2.7');
});

test('the interface towards an address is asked of the system', async () => {
  expect(await chooseInterface(preflightParameters.parse({}), '127.0.0.1')).toBe('lo');
});

test('hosts that would be flags of a tool are refused', () => {
  for (const host of ['-f', '', 'a b', 'x;y', '--', '.x'])
    expect(preflightParameters.safeParse({ host }).success, host).toBe(false);
  for (const host of ['stage-pc', 'stage.local', '192.0.2.7', 'fe80::1', '2001:db8::7', '::1'])
    expect(preflightParameters.safeParse({ host }).success, host).toBe(true);
});

test('a port that is open, one where no one listens, and a look that is given up', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await tryPort('127.0.0.1', port)).toBe('open');
  await new Promise((resolve) => server.close(resolve));
  expect(await tryPort('127.0.0.1', port)).toBe('refused');
  const abort = new AbortController();
  abort.abort();
  expect(await tryPort('127.0.0.1', port, abort.signal)).toBe('silent');
});
